/** Questions that are asked one by one and answered together. */

/**
 * A function that gathers its questions until the event loop has turned, so that all resolvers of one level have
 * asked, and then hands them on at once; `answer` gives one answer for each, in their order.
 */
export function together<Question, Answer>(
  answer: (questions: readonly Question[]) => readonly Promise<Answer>[],
): (question: Question) => Promise<Answer> {
  let gathered: { readonly question: Question; resolve(answer: Promise<Answer>): void }[] = [];

  function answerAll(): void {
    const asked = gathered;
    gathered = [];
    const answers = answer(asked.map(({ question }) => question));
    for (const [index, { resolve }] of asked.entries()) {
      const given = answers[index];
      resolve(given ?? Promise.reject(new Error("A question was not answered.")));
    }
  }

  return (question) =>
    new Promise((resolve) => {
      gathered.push({ question, resolve });
      if (gathered.length === 1) setImmediate(answerAll);
    });
}
