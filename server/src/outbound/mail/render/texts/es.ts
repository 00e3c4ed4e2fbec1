import type { MailTexts } from '../mail-texts.ts';

export const es: MailTexts = {
  hello: 'Hola, {name}:',
  helloAnyone: 'Hola:',
  credit: '{amount} de saldo',
  discount: '{percent} de descuento',
  available: 'Estará disponible a partir del {date}.',
  seeRewards: 'Ver sus recompensas',
  addDetails: 'Añadir datos de pago',
  openPage: 'Abrir su página',
  why: 'Recibe este correo porque participa en {program}.',
  stop: 'Darse de baja',
  unsubscribe: {
    title: 'Darse de baja',
    question: '¿Quiere dejar de recibir estos correos?',
    thisKind: 'No recibir más correos de este tipo',
    everyKind: 'No recibir más correos de ningún tipo',
    whatStays: 'Sigue participando y conserva sus recompensas.',
    doneTitle: 'Se ha dado de baja',
    done: 'Ya no recibirá estos correos. El cambio puede tardar un minuto.',
  },
  kinds: {
    friend_joined: {
      subject: 'Alguien se ha unido a {product} con su enlace',
      body: 'Alguien acaba de registrarse con su enlace. ¡Gracias por recomendar {product}!',
    },
    reward_earned: {
      subject: 'Ha ganado {reward}',
      body: 'Ha ganado {reward} en {program}. {availability}',
    },
    payout_ordered: {
      subject: 'Su pago de {reward} está en camino',
      body: 'Hemos ordenado el pago de {reward}. Suele tardar unos días en llegar.',
    },
    reward_paid: {
      subject: 'Ha recibido {reward}',
      body: 'Le hemos entregado {reward} de {program}. ¡Gracias por recomendar {product}!',
    },
    payout_details_missing: {
      subject: '¿Adónde enviamos su dinero?',
      body: 'Ha ganado dinero en {program}, pero no sabemos adónde enviarlo. Añada sus datos de pago y le incluiremos en el próximo pago.',
    },
    partner_welcome: {
      subject: 'Le damos la bienvenida como socio de {product}',
      body: 'Ya es socio de {program}. En su página encontrará su enlace, sus recompensas y sus pagos.',
    },
  },
};
