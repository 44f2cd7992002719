import type { Page } from 'playwright-core';

/** Requests that wait until a test releases them. */
export interface HeldRequests {
  /** Waits until the page has sent one. */
  readonly sent: Promise<void>;
  release(): void;
}

/** Holds the requests of a page with a method to a path, as a slow network does. */
export async function holdRequests(page: Page, method: string, path: RegExp): Promise<HeldRequests> {
  const sent = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(
    (url) => path.test(url.pathname),
    async (route) => {
      if (route.request().method() !== method) return route.fallback();
      sent.resolve();
      await released.promise;
      await route.fallback();
    },
  );
  return { sent: sent.promise, release: () => released.resolve() };
}

/** Answers the questions that a page asks in a dialog of the browser. Returns the questions. */
export function answerQuestions(page: Page, answers: readonly ('dismiss' | 'accept')[]): string[] {
  const questions: string[] = [];
  page.on('dialog', (question) => void question[answers[questions.push(question.message()) - 1] ?? 'dismiss']());
  return questions;
}
