import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { answerCall, type Sent } from "./answer-call";
import { type Dialect, PLAIN_DIALECT } from "./dialect";
import { serveFile } from "./serve-file";
import { makeWorld, type World } from "./world";

/** The failure of the next answer to an address. */
export type Fault = 401 | 405 | 429 | 500 | 502 | "not-json" | "refused" | "hang-up";

export interface DoubleOptions extends Partial<Dialect> {
  /** A folder of built console files to serve beside the API. */
  files?: string;
  /** Sent with every file. */
  contentSecurityPolicy?: string;
}

export interface Double {
  url: string;
  world: World;
  dialect: Dialect;
  /** "METHOD path?query" of every call that arrived. */
  calls: string[];
  /** Bodies of calls with one, in order. */
  bodies: { call: string; body: unknown }[];
  /** Makes calls whose path starts like this fail, until undone with undefined. */
  fail: (pathStart: string, fault: Fault | undefined) => void;
  /** @throws Error that names the double's own violation of the contract, if any. */
  close: () => Promise<void>;
}

const readBody = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
};

const sendFault = (fault: Fault, { isEnglish }: Dialect, response: ServerResponse): void => {
  if (fault === "hang-up") {
    response.destroy();
  } else if (fault === "not-json") {
    response.writeHead(200, { "Content-Type": "text/html" }).end("<html>proxy</html>");
  } else if (fault === "refused") {
    const message = isEnglish ? "the server refused" : "服务器拒绝了这次操作";
    response
      .writeHead(200, { "Content-Type": "application/json" })
      .end(JSON.stringify({ success: false, message }));
  } else {
    // Limits and crashes answer with an empty body.
    response.writeHead(fault).end();
  }
};

const send = ({ status, cookie, body }: Sent, response: ServerResponse): void => {
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    ...(cookie === undefined ? {} : { "Set-Cookie": cookie }),
  });
  response.end(JSON.stringify(body));
};

/** Starts a server that speaks the /api contract from memory. Nothing it holds is kept. */
export const startDouble = async (options: DoubleOptions = {}, port = 0): Promise<Double> => {
  const { files, contentSecurityPolicy, ...wanted } = options;
  const world = makeWorld();
  const dialect: Dialect = { ...PLAIN_DIALECT, ...wanted };
  const faults = new Map<string, Fault>();
  const calls: string[] = [];
  const bodies: Double["bodies"] = [];
  const breaches: string[] = [];
  const fileHeaders: Record<string, string> = contentSecurityPolicy
    ? { "Content-Security-Policy": contentSecurityPolicy }
    : {};

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "GET", headers } = request;
    const { pathname: path, search, searchParams: query } = new URL(request.url ?? "/", "http://double");
    if (!path.startsWith("/api") && files !== undefined) {
      serveFile(files, path, fileHeaders, response);
      return;
    }
    const name = `${method} ${path}${search}`;
    calls.push(name);
    const body = await readBody(request);
    if (Object.keys(body).length > 0) bodies.push({ call: name, body });
    if (dialect.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, dialect.latencyMs));
    const fault = [...faults].find(([start]) => path.startsWith(start))?.[1];
    if (fault !== undefined) {
      sendFault(fault, dialect, response);
      return;
    }
    const session = /session=(\d+)/.exec(headers.cookie ?? "")?.[1];
    const caller = world.users.find(({ id }) => String(id) === session);
    send(answerCall({ method, path, query, body, caller }, world, dialect), response);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      // A client that left before the end of its call gets no answer.
      if (request.destroyed && !request.complete) return;
      breaches.push(error.message);
      send({ status: 500, body: { success: false, message: error.message } }, response);
    });
  });

  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : port}`,
    world,
    dialect,
    calls,
    bodies,
    fail: (pathStart, fault) => {
      if (fault === undefined) faults.delete(pathStart);
      else faults.set(pathStart, fault);
    },
    close: async () => {
      await new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      });
      if (breaches.length > 0) throw new Error(breaches.join("\n"));
    },
  };
};
