import type { TenantId } from '../../../domain/ids.ts';
import type { TestDatabase } from './test-database.ts';

/**
 * Holds up new payments of a tenant in the middle of their transaction, by no lock: a batch waits
 * for a lock for a second only. `open` lets them pass, and must be called before the test ends.
 */
export async function holdUpPayments(
  { db, owner }: Pick<TestDatabase, 'db' | 'owner'>,
  tenantId: TenantId,
) {
  await owner.raw(`
    create table gate (is_open boolean);
    create function wait_at_gate() returns trigger language plpgsql security definer as $$
      begin
        while not exists (select from public.gate) loop perform pg_sleep(0.02); end loop;
        return new;
      end $$;
    create trigger wait_at_gate before insert on payments for each row
      when (new.tenant_id = '${tenantId}') execute function wait_at_gate()`);
  return {
    async countWaiting(): Promise<number> {
      const { rows } = await db.raw<{ rows: unknown[] }>(
        `select from pg_stat_activity
         where datname = current_database() and wait_event = 'PgSleep'`,
      );
      return rows.length;
    },
    /** Lets the payments of `work` pass, and waits for it. */
    async open<T>(work: Promise<T>): Promise<T> {
      await owner.raw('insert into gate values (true)');
      const result = await work;
      await owner.raw('drop function wait_at_gate cascade; drop table gate');
      return result;
    },
  };
}
