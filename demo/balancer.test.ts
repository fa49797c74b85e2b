import { createServer, type RequestListener, type Server } from "node:http";
import { listenOnLoopback } from "@tollgate/testkit/loopback-server";
import { afterEach, expect, it } from "vitest";
import { type Balancer, startBalancer } from "./balancer";

let servers: Server[] = [];
let balancer: Balancer | undefined;

afterEach(async () => {
  await balancer?.close();
  for (const server of servers) server.closeAllConnections();
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  servers = [];
});

const start = async (...listeners: RequestListener[]): Promise<string> => {
  const urls: string[] = [];
  for (const listener of listeners) {
    const server = createServer(listener);
    servers.push(server);
    urls.push(await listenOnLoopback(server));
  }
  balancer = await startBalancer(urls);
  return balancer.url;
};

const saying =
  (text: string): RequestListener =>
  (_, response) => {
    response.end(text);
  };

const textOf = async (url: string): Promise<string> => (await fetch(url)).text();

it("takes requests to each node in turn, with their bodies, their host and the visitor's address", async () => {
  const echo =
    (name: string): RequestListener =>
    async (request, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const { host, "x-forwarded-for": visitor } = request.headers;
      response.end(JSON.stringify({ name, body, host, visitor }));
    };
  const url = await start(echo("a"), echo("b"), echo("c"));
  const names: string[] = [];
  for (let round = 0; round < 6; round += 1) {
    const body = `body ${round}`;
    const answer = (await (await fetch(`${url}/x`, { method: "POST", body })).json()) as { name: string };
    expect(answer).toMatchObject({ body, host: new URL(url).host, visitor: "127.0.0.1" });
    names.push(answer.name);
  }
  expect(names.sort()).toEqual(["a", "a", "b", "b", "c", "c"]);
});

it("goes to another node when one is gone, and asks for nothing twice", async () => {
  let asked = 0;
  const url = await start(saying("a"), (request, response) => {
    if (request.url === "/readyz") response.end();
    else {
      asked += 1;
      response.destroy();
    }
  });
  const gone = servers[0] as Server;
  await new Promise((resolve) => gone.close(resolve));
  const answer = await fetch(url, { method: "POST", body: "once" });
  expect(answer.status).toBe(502);
  expect(asked).toBe(1);
});

it("leaves out a node that is not ready, and says so when there is none", async () => {
  let status = 503;
  const url = await start(saying("a"), (_, response) => {
    response.writeHead(status).end("b");
  });
  const round = async (): Promise<string> => `${await textOf(url)}${await textOf(url)}`;
  await expect.poll(round).toBe("aa");
  status = 200;
  await expect.poll(round).toMatch(/ab|ba/);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  expect((await fetch(url)).status).toBe(502);
});

it("breaks an answer off where the node did", async () => {
  const url = await start((_, response) => {
    response.write("half");
    setTimeout(() => response.destroy(), 5);
  });
  await expect(textOf(url)).rejects.toThrow();
});
