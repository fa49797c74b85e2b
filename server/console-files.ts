import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import sirv from "sirv";
import { setSecurityHeaders } from "./http/security-headers";

/**
 * Serves the built console: files with a hash in their name for ever, every other path the page itself, which finds its
 * own way (contract section 0.3).
 * @param folder may be missing; then a sentence says so.
 * @param hasTurnstile whether pages may load the human check.
 */
export const createConsoleFiles = (folder: string, hasTurnstile: () => boolean) => {
  const indexPath = join(folder, "index.html");
  const index = existsSync(indexPath) ? readFileSync(indexPath) : undefined;
  const files = index
    ? sirv(folder, {
        brotli: true,
        gzip: true,
        etag: true,
        setHeaders(response, path) {
          response.setHeader(
            "Cache-Control",
            path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
          );
        },
      })
    : undefined;

  const sendPage = (request: IncomingMessage, response: ServerResponse): void => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || request.url?.startsWith("/assets/")) {
      response.writeHead(404, { "content-type": "text/plain; charset=utf-8" });
      response.end("Not found\n");
      return;
    }
    if (!index) {
      response.writeHead(503, { "content-type": "text/plain; charset=utf-8" });
      response.end("The console has not been built: run `npm start`, or `npm run build`.\n");
      return;
    }
    response.writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "content-length": index.length,
    });
    response.end(request.method === "HEAD" ? undefined : index);
  };

  return (request: IncomingMessage, response: ServerResponse): void => {
    setSecurityHeaders(response, hasTurnstile());
    if (files) files(request, response, () => sendPage(request, response));
    else sendPage(request, response);
  };
};
