import { useSearchParams } from 'wouter';
import { type Period, type PeriodName, periodIn } from './period.ts';

/**
 * The filters of a list, which stay in the address of its page: who loads it again, comes back to
 * it or opens a copied link sees the same. A value that is not known is passed over.
 */
export function useFilters() {
  const [search, setSearch] = useSearchParams();
  return {
    /** Returns what was typed; the empty text for nothing, and for what has another form. */
    text(name: string, form?: RegExp): string {
      const text = search.get(name) ?? '';
      return form === undefined || form.test(text) ? text : '';
    },
    /** Returns which of the choices was made, if any. */
    choice<Value extends string>(name: string, choices: readonly Value[]): Value | undefined {
      const asked = search.get(name);
      return choices.find((one) => one === asked);
    },
    /** Returns the period that was chosen, or the one that is usual on the page. */
    period: (usual: PeriodName): Period => periodIn(search, usual),
    /** Changes some of the filters; the empty text is none. `isStep`: Back undoes the change. */
    put(changes: Readonly<Record<string, string>>, isStep = false): void {
      setSearch(
        (asked) => {
          for (const [name, value] of Object.entries(changes)) {
            if (value === '') asked.delete(name);
            else asked.set(name, value);
          }
          return asked;
        },
        { replace: !isStep },
      );
    },
  };
}

export type Filters = ReturnType<typeof useFilters>;
