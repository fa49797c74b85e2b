import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, relative, sep } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { addPreloads, type Preloads, readPreloads } from "./console-preloads";
import { setSecurityHeaders } from "./http/security-headers";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};

/** Names with a hash in them never change their content. */
const FOREVER = "public, max-age=31536000, immutable";

interface ConsoleFile {
  type: string;
  etag: string;
  cacheControl: string;
  /** The content by encoding; "" is the plain one. */
  bodies: Map<string, Buffer>;
}

/** The page's meta tag with the gateway's address; as built, it makes the console fetch config.json, an extra call. */
const API_ADDRESS = /(<meta name="api-base-url" content=")[^"]*"/;

const etagOf = (content: Buffer): string =>
  `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;

/** The compressed forms that the build leaves beside a file, the best first. */
const ENCODINGS = [
  { name: "br", ending: ".br" },
  { name: "gzip", ending: ".gz" },
] as const;

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Reads the whole console: a few megabytes, and a new build beside the running process cannot tear it apart. */
const loadFiles = (folder: string): Map<string, ConsoleFile> => {
  const files = new Map<string, ConsoleFile>();
  if (!existsSync(folder)) return files;
  for (const path of listFiles(folder)) {
    const type = TYPES[extname(path)];
    if (type === undefined) continue;
    const plain = readFileSync(path);
    const bodies = new Map([["", plain]]);
    for (const { name, ending } of ENCODINGS) {
      if (existsSync(path + ending)) bodies.set(name, readFileSync(path + ending));
    }
    const url = `/${relative(folder, path).split(sep).join("/")}`;
    files.set(url, {
      type,
      etag: etagOf(plain),
      cacheControl: url.startsWith("/assets/") ? FOREVER : "no-cache",
      bodies,
    });
  }
  return files;
};

/** A file with generated content. */
const makeFile = (path: string, text: string): ConsoleFile => {
  const plain = Buffer.from(text);
  return {
    type: TYPES[extname(path)] ?? "",
    etag: etagOf(plain),
    cacheControl: "no-cache",
    bodies: new Map([
      ["", plain],
      ["br", brotliCompressSync(plain)],
      ["gzip", gzipSync(plain)],
    ]),
  };
};

/** Gives the console its gateway's address: in the page, which saves a call, and in config.json. */
const nameGateway = (files: Map<string, ConsoleFile>, apiBaseUrl: string): void => {
  const page = files.get("/index.html")?.bodies.get("");
  if (!page) return;
  const text = page.toString().replace(API_ADDRESS, (_, before: string) => `${before}${apiBaseUrl}"`);
  files.set("/index.html", makeFile("/index.html", text));
  files.set("/config.json", makeFile("/config.json", JSON.stringify({ apiBaseUrl })));
};

/** Finds the page for a path: the built one, with links to the scripts that the path needs at once. */
const choosePage = (folder: string, page: ConsoleFile | undefined) => {
  const findPreloads = readPreloads(folder);
  const html = page?.bodies.get("")?.toString() ?? "";
  const made = new Map<Preloads, ConsoleFile>();
  return (path: string): ConsoleFile | undefined => {
    const preloads = findPreloads(path);
    if (!page || !preloads) return page;
    const file = made.get(preloads) ?? makeFile("/index.html", addPreloads(html, preloads));
    made.set(preloads, file);
    return file;
  };
};

const sendText = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" });
  response.end(text);
};

const sendFile = (request: IncomingMessage, response: ServerResponse, file: ConsoleFile): void => {
  const accepted = String(request.headers["accept-encoding"] ?? "");
  const encoding = ENCODINGS.find(({ name }) => file.bodies.has(name) && accepted.includes(name))?.name ?? "";
  const body = file.bodies.get(encoding) ?? Buffer.alloc(0);
  const headers = { etag: file.etag, "cache-control": file.cacheControl, vary: "accept-encoding" };
  if (request.headers["if-none-match"] === file.etag) {
    response.writeHead(304, headers);
    response.end();
    return;
  }
  response.writeHead(200, {
    ...headers,
    "content-type": file.type,
    "content-length": body.length,
    ...(encoding === "" ? {} : { "content-encoding": encoding }),
  });
  response.end(request.method === "HEAD" ? undefined : body);
};

/**
 * Serves the built console: files with a hash in their name are cached without end, every other path returns the page,
 * which routes by itself (contract section 0.3) and names the scripts that its path needs.
 * @param folder may be missing; then a sentence says so.
 * @param apiBaseUrl the gateway that the console calls, without a trailing slash; "" for this one.
 * @param hasTurnstile whether this gateway uses the human check.
 * @param isHttps whether the caller's browser uses HTTPS.
 */
export const createConsoleFiles = (
  folder: string,
  apiBaseUrl: string,
  hasTurnstile: () => boolean,
  isHttps: (request: IncomingMessage) => boolean,
) => {
  const files = loadFiles(folder);
  nameGateway(files, apiBaseUrl);
  const apiOrigin = apiBaseUrl === "" ? undefined : new URL(apiBaseUrl).origin;
  const page = files.get("/index.html");
  const pageAt = choosePage(folder, page);
  return (request: IncomingMessage, response: ServerResponse): void => {
    // This process does not know whether another gateway uses the human check.
    setSecurityHeaders(response, {
      hasTurnstile: apiOrigin !== undefined || hasTurnstile(),
      isPlain: !isHttps(request),
      apiOrigin,
    });
    const path = (request.url ?? "").split("?")[0] ?? "";
    const file = files.get(path) ?? (path.startsWith("/assets/") ? undefined : pageAt(path));
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || (page && !file)) sendText(response, 404, "Not found\n");
    else if (file) sendFile(request, response, file);
    else sendText(response, 503, "The console has not been built: run `npm start`, or `npm run build`.\n");
  };
};
