/** How many problems of one check are shown. */
const shownProblems = 10;

/** How many of the last lines of the service's log are shown with a failure. */
const shownLines = 10;

/** Counts the checks of a run, and prints what failed. */
export class Report {
  passed = 0;
  failed = 0;
  /** The number of contacts that were compared with their expected state, over all checks. */
  contactsChecked = 0;
  /** The loads whose requests are counted in the summary. */
  readonly loads: { readonly accepted: number; readonly unanswered: number; readonly repeated: number }[] = [];
  /** Unanswered requests that were not repeated, and turned out to be applied. */
  appliedUnanswered = 0;
  readonly kills = new Map<string, number>();
  /** Lines of the service's log that may explain a failure. */
  complaints: () => readonly string[] = () => [];

  /** Records one check. It passes if there are no problems. */
  check(name: string, problems: readonly string[]): void {
    if (problems.length === 0) {
      this.passed++;
      return;
    }
    this.failed++;
    const rest = problems.length > shownProblems ? [`… and ${problems.length - shownProblems} more`] : [];
    this.say(`FAILED ${name}\n${[...problems.slice(0, shownProblems), ...rest].map((line) => `  ${line}`).join('\n')}`);
    for (const line of this.complaints().slice(-shownLines)) this.say(`  log: ${line.slice(0, 400)}`);
  }

  /** Counts killed processes by kind. */
  killed(kind: string, processes: number): void {
    this.kills.set(kind, (this.kills.get(kind) ?? 0) + processes);
  }

  /** Prints the summary: what was done, and how many checks passed. */
  summarize(seconds: number): void {
    const sum = (name: 'accepted' | 'unanswered' | 'repeated'): number =>
      this.loads.reduce((total, load) => total + load[name], 0);
    const kills = [...this.kills].map(([kind, processes]) => `${kind} ${processes}`).join(', ');
    this.say(`killed processes: ${kills}`);
    this.say(
      `${sum('accepted')} requests accepted, ${sum('unanswered')} unanswered (${this.appliedUnanswered} of them applied), ` +
        `${sum('repeated')} repeated, ` +
        `${this.contactsChecked} contacts checked, ${seconds.toFixed(0)} s`,
    );
    this.say(`${this.passed} passed, ${this.failed} failed`);
  }

  say(line: string): void {
    process.stdout.write(`${line}\n`);
  }
}
