import { formatMachine, formatOthers, isBusy, type Machine } from './machine.ts';
import { watchOthers } from './process-figures.ts';
import { formatSection, type Section, verdictOn } from './report.ts';

/** Which benchmark was run, and how. */
export type RunTerms = { command: string; quick: boolean; scale: number; parts: readonly number[] };

/**
 * Everything that a run has found, for programs: sections and their figures have stable keys. A
 * share is what programs other than the benchmark used of the machine's processors, from 0 to 1;
 * null where it is unknown.
 */
export type RunReport = RunTerms & {
  format: 1;
  machine: Machine;
  /** Whether other programs used too much for the figures to be written down. */
  busy: boolean;
  sections: ReadonlyArray<Section & { othersMeanwhile: number }>;
};

export type ReportWriter = {
  /** Writes a section as soon as it is complete. */
  print(section: Section): void;
  /** Writes whether the machine was busy, and returns the whole. */
  end(): RunReport;
};

/** Starts the report of a run with its head. Everything is written as text for people. */
export function startReport(
  machine: Machine,
  terms: RunTerms,
  write: (text: string) => void,
): ReportWriter {
  const sections: Array<Section & { othersMeanwhile: number }> = [];
  let others = watchOthers();
  write(formatMachine(machine));
  return {
    print(section) {
      const othersMeanwhile = others();
      others = watchOthers();
      const bars = section.bars.map((bar) => ({ ...bar, verdict: verdictOn(bar) }));
      sections.push({ ...section, bars, othersMeanwhile });
      write(`${formatSection(section)}\n\n  Meanwhile ${formatOthers([othersMeanwhile])}.`);
    },
    end() {
      const shares = [machine.othersBefore, ...sections.map((each) => each.othersMeanwhile)];
      write(`In all, ${formatOthers(shares)}.`);
      return { format: 1, ...terms, busy: isBusy(shares), machine, sections };
    },
  };
}
