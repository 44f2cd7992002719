// A child of a supervisor. PART selects its behaviour: works, fails, dies or hangs. It sends back
// each value that it gets.
import { onSupervisorMessage, runSupervised, sendToSupervisor } from '../../src/index.ts';

const part = process.env['PART'];
await runSupervised(
  async () => {
    if (part === 'fails') throw new Error('no paper left');
    if (part === 'dies') process.exit(3);
    onSupervisorMessage((body) => sendToSupervisor({ got: body }));
    const timer = setInterval(() => undefined, 1000);
    return {
      url: `part:${process.pid}`,
      async [Symbol.asyncDispose]() {
        if (part === 'hangs') await new Promise(() => undefined);
        clearInterval(timer);
        sendToSupervisor('stopped');
      },
    };
  },
  { describeFailure: (error) => `The part cannot start: ${error instanceof Error ? error.message : String(error)}.` },
);
