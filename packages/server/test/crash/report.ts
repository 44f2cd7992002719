/** Problems of one check that are shown; the first few tell what happened. */
const shownProblems = 10;

/** Counts the checks of a run, and says what went wrong. */
export class Report {
  passed = 0;
  failed = 0;
  /** Number of contacts that were compared with what they should be, over all checks. */
  contactsChecked = 0;
  readonly requests = { accepted: 0, unanswered: 0, repeated: 0 };
  /** Requests that were given up without an answer and turned out to be applied. */
  appliedUnanswered = 0;
  readonly kills = new Map<string, number>();
  /** Lines of the log of the service that explain a failure. */
  complaints: () => readonly string[] = () => [];

  /** One check: passed when there are no problems. */
  check(name: string, problems: readonly string[]): void {
    if (problems.length === 0) {
      this.passed++;
      return;
    }
    this.failed++;
    const rest = problems.length > shownProblems ? [`… and ${problems.length - shownProblems} more`] : [];
    this.say(`FAILED ${name}\n${[...problems.slice(0, shownProblems), ...rest].map((line) => `  ${line}`).join('\n')}`);
    for (const line of this.complaints().slice(-20)) this.say(`  log: ${line}`);
  }

  /** Adds the requests of a load that has come to its end. */
  count({ accepted, unanswered, repeated }: { accepted: number; unanswered: number; repeated: number }): void {
    this.requests.accepted += accepted;
    this.requests.unanswered += unanswered;
    this.requests.repeated += repeated;
  }

  /** Counts killed processes by kind. */
  killed(kind: string, processes: number): void {
    this.kills.set(kind, (this.kills.get(kind) ?? 0) + processes);
  }

  /** The last lines: what was done, and how many checks passed. */
  summarize(seconds: number): void {
    const { accepted, unanswered, repeated } = this.requests;
    const kills = [...this.kills].map(([kind, processes]) => `${kind} ${processes}`).join(', ');
    this.say(`killed processes: ${kills}`);
    this.say(
      `${accepted} requests accepted, ${unanswered} unanswered (${this.appliedUnanswered} of them applied), ` +
        `${repeated} repeated, ` +
        `${this.contactsChecked} contacts checked, ${seconds.toFixed(0)} s`,
    );
    this.say(`${this.passed} passed, ${this.failed} failed`);
  }

  say(line: string): void {
    process.stdout.write(`${line}\n`);
  }
}
