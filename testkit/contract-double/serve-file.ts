import { createReadStream, existsSync, statSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json",
};

/** Sends a file of a folder; its index.html for a missing path. */
export const serveFile = (
  folder: string,
  path: string,
  headers: Record<string, string>,
  response: ServerResponse,
): void => {
  const wanted = join(folder, normalize(path));
  const isFile = existsSync(wanted) && statSync(wanted).isFile();
  const file = isFile ? wanted : join(folder, "index.html");
  response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream", ...headers });
  createReadStream(file).pipe(response);
};
