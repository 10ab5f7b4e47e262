// @ts-nocheck: examples are plain JavaScript, to be read without types.

// The feed over Server-Sent Events with nothing but fetch, in a browser as in Node.
import { FEED } from "./plans.mjs";

/** The items of one feed over one response. It ends when the response does. */
export async function* feedOverSse(endpoint, after, signal) {
  const response = await fetch(endpoint, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify({ query: FEED, variables: { after } }),
    signal,
  });
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  for await (const { event, data } of serverSentEvents(response.body)) {
    if (event === "complete") return;
    const { data: answer, errors } = JSON.parse(data);
    if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join("; "));
    yield answer.planEvents;
  }
}

/** Reads the blocks of an event stream; lines that begin with a colon only keep the connection open. */
async function* serverSentEvents(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += value;
      const blocks = text.split("\n\n");
      text = blocks.pop();
      for (const block of blocks) {
        const fields = Object.fromEntries(
          block.split("\n").map((line) => line.split(/: ?(.*)/s).slice(0, 2)),
        );
        if (fields.event !== undefined) yield { event: fields.event, data: fields.data };
      }
    }
  } finally {
    await reader.cancel();
  }
}
