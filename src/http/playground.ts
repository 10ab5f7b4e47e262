/** GraphiQL for browsers, served whole from the process: it asks no other host for anything, and may not. */
import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { send } from "./respond.js";

interface PlaygroundTab {
  /** Its operation's name becomes the tab's title. */
  readonly query: string;
  readonly variables?: string;
  readonly headers?: string;
}

export interface Playground {
  readonly title: string;
  /** Shown in this order to a browser that has not been here before. */
  readonly tabs: readonly PlaygroundTab[];
}

interface Page {
  readonly html: Buffer;
  readonly policy: string;
}

/** The page is nine megabytes, so it is loaded and rendered when the first browser asks for it. */
export function createPlayground(playground: Playground): (response: ServerResponse) => Promise<void> {
  let page: Promise<Page> | undefined;
  return async (response) => {
    page ??= render(playground).catch((error) => {
      // What failed is tried again for the next browser.
      page = undefined;
      throw error;
    });
    const { html, policy } = await page;
    response.setHeader("content-security-policy", policy);
    response.setHeader("referrer-policy", "no-referrer");
    response.setHeader("x-content-type-options", "nosniff");
    response.setHeader("cache-control", "no-cache");
    send(response, 200, "text/html; charset=utf-8", html);
  };
}

async function render({ title, tabs }: Playground): Promise<Page> {
  const { renderGraphiQL } = await import("@graphql-yoga/render-graphiql");
  const html = renderGraphiQL({
    title,
    subscriptionsProtocol: "WS",
    // GraphiQL takes the headers of the tab that it opens with from here alone.
    headers: tabs[0]?.headers,
    defaultTabs: tabs.map((tab) => ({ ...tab })),
  });
  const script = /<script>([\s\S]*)<\/script>/.exec(html)?.[1] ?? "";
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${createHash("sha256").update(script).digest("base64")}' blob:`,
    "worker-src blob:",
    "style-src 'unsafe-inline'",
    "font-src data:",
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return { html: Buffer.from(html), policy };
}
