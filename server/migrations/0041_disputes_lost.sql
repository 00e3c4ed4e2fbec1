-- Runs beside: 0040_invoices_of_people.sql
-- A dispute that was lost is a fact of its own, without an amount. `rule` tells which rule decided an
-- adjustment: 1 in previous versions, by which no refund settled what was disputed.
alter table purchase_adjustments add column rule smallint not null default 1;
-- Of a loss: the dispute that it ends.
alter table purchase_adjustments add column closes_id text;
alter table purchase_adjustments alter column amount_minor drop not null;
-- With several disputes that overlap, news that comes late may move the total the other way, or by more
-- than its own amount.
alter table purchase_adjustments drop constraint purchase_adjustments_check;
alter table purchase_adjustments drop constraint purchase_adjustments_kind_check;
alter table purchase_adjustments add constraint purchase_adjustments_kind_check
  check (kind in ('refund', 'dispute', 'dispute_lost', 'restoration')) not valid;
alter table purchase_adjustments add constraint purchase_adjustments_loss_check
  check ((kind = 'dispute_lost') <> (closes_id is null)
    and (kind = 'dispute_lost') = (amount_minor is null)) not valid;
