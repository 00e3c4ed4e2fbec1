import type { Draw } from './draw.ts';

const HOMES = 25_600;
const CARRIERS = 3;
/** Addresses of a mobile carrier change all the time, and hundreds of people have the same. */
const NETWORKS_OF_CARRIER = 40;

const host = (draw: Draw) => draw.whole(1, 254);

/** A home of its own; now and then one of the same provider is in the same range. */
export function drawHome(draw: Draw): string {
  const number = draw.whole(0, HOMES - 1);
  return `10.${Math.floor(number / 256)}.${number % 256}.${host(draw)}`;
}

export const drawCarrier = (draw: Draw) => draw.whole(0, CARRIERS - 1);

export const mobileAddress = (draw: Draw, carrier: number) =>
  `10.${200 + carrier}.${draw.whole(0, NETWORKS_OF_CARRIER - 1)}.${host(draw)}`;

/** The wireless network of a university: thousands of people behind a few ranges. */
export const campusAddress = (draw: Draw) => `10.210.${draw.whole(0, 3)}.${host(draw)}`;

export const officeAddress = (draw: Draw, office: number) => `10.220.${office}.${host(draw)}`;

/** A rented server, or a commercial VPN. */
export const serverAddress = (draw: Draw, server: number) => `10.230.${server}.${host(draw)}`;

/** Proxies in homes all over the world, a new one for each call. */
export const proxyAddress = (draw: Draw) =>
  `10.${draw.whole(240, 249)}.${draw.whole(0, 255)}.${host(draw)}`;
