import { createServer, type RequestListener, type Server } from "node:http";
import { listenOnLoopback } from "@tollgate/testkit/loopback-server";
import { UNBOUNDED_MEMORY } from "@tollgate/testkit/unbounded-memory";
import { Agent } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import { fetchMedia, type MediaRoute } from "./fetch-media";

const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUg==", "base64");
const LIMIT = 1000;

/** What tests may reach, where the product may not. */
const loopback = (): MediaRoute => ({
  isAddressAllowed: (address) => address === "127.0.0.1",
  dispatcher: new Agent(),
});

let server: Server | undefined;

const serve = async (listener: RequestListener): Promise<string> => {
  server = createServer(listener);
  return listenOnLoopback(server);
};

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
});

const never = new AbortController().signal;

describe("fetchMedia", () => {
  it("gives the data and the kind that its first bytes tell", async () => {
    const url = await serve((_, response) => response.setHeader("content-type", "text/html").end(PNG));
    expect(await fetchMedia(`${url}/a`, LIMIT, never, UNBOUNDED_MEMORY, loopback())).toEqual({
      data: PNG.toString("base64"),
      mediaType: "image/png",
    });
  });

  it("knows a PDF by its first bytes, too", async () => {
    const url = await serve((_, response) => response.end("%PDF-1.7"));
    expect(await fetchMedia(url, LIMIT, never, UNBOUNDED_MEMORY, loopback())).toMatchObject({
      mediaType: "application/pdf",
    });
  });

  it("follows redirects, but not for ever", async () => {
    const url = await serve((request, response) => {
      if (request.url === "/image") response.end(PNG);
      else response.writeHead(302, { location: request.url === "/start" ? "/image" : "/again" }).end();
    });
    expect(await fetchMedia(`${url}/start`, LIMIT, never, UNBOUNDED_MEMORY, loopback())).toMatchObject({
      mediaType: "image/png",
    });
    await expect(fetchMedia(`${url}/again`, LIMIT, never, UNBOUNDED_MEMORY, loopback())).rejects.toThrow(
      "media-out-of-reach",
    );
  });

  it.each(["http://169.254.169.254/", "http://[::1]/", "http://10.0.0.1/", "file:///etc/passwd"])(
    "does not follow to %s",
    async (location) => {
      const url = await serve((_, response) => response.writeHead(302, { location }).end());
      await expect(fetchMedia(url, LIMIT, never, UNBOUNDED_MEMORY, loopback())).rejects.toThrow(
        "media-out-of-reach",
      );
    },
  );

  it.each([
    "http://127.0.0.1:1/",
    "http://localhost:1/",
    "http://[::ffff:127.0.0.1]/",
    "http://2130706433/",
    "http://192.168.0.1/",
    "ftp://x.test/a.png",
    "no address",
  ])("never asks %s for a client", async (url) => {
    await expect(fetchMedia(url, LIMIT, never, UNBOUNDED_MEMORY)).rejects.toThrow("media-out-of-reach");
  });

  it("never asks this machine, whatever listens there", async () => {
    let isAsked = false;
    const url = await serve((_, response) => {
      isAsked = true;
      response.end(PNG);
    });
    for (const host of ["127.0.0.1", "localhost"]) {
      await expect(
        fetchMedia(url.replace("127.0.0.1", host), LIMIT, never, UNBOUNDED_MEMORY),
      ).rejects.toThrow("media-out-of-reach");
    }
    expect(isAsked).toBe(false);
  });

  it("rejects a file that is too large, even without an announced length", async () => {
    const url = await serve((_, response) => {
      response.write(PNG);
      response.end(Buffer.alloc(LIMIT));
    });
    await expect(fetchMedia(url, LIMIT, never, UNBOUNDED_MEMORY, loopback())).rejects.toMatchObject({
      reason: { code: "media-too-large", maxMib: 20 },
    });
  });

  it("asks for room for every piece that arrives, and reads no further where there is none", async () => {
    const url = await serve((_, response) => {
      response.write(PNG);
      response.end(Buffer.alloc(LIMIT / 2));
    });
    let taken = 0;
    const counting = {
      take: (bytes: number) => {
        taken += bytes;
        return undefined;
      },
    };
    await fetchMedia(url, LIMIT, never, counting, loopback());
    // As it came, as base64, and in the call to the upstream.
    expect(taken).toBe(3 * (PNG.length + LIMIT / 2));
    const full = { take: () => ({ code: "bodies-limited" as const }) };
    await expect(fetchMedia(url, LIMIT, never, full, loopback())).rejects.toMatchObject({
      refusal: { code: "bodies-limited" },
    });
  });

  it("refuses a file that is no image, and a missing one", async () => {
    const url = await serve((request, response) => {
      response.statusCode = request.url === "/missing" ? 404 : 200;
      response.end("<html>");
    });
    await expect(fetchMedia(`${url}/page`, LIMIT, never, UNBOUNDED_MEMORY, loopback())).rejects.toThrow(
      "media-of-unknown-type",
    );
    await expect(
      fetchMedia(`${url}/missing`, LIMIT, never, UNBOUNDED_MEMORY, loopback()),
    ).rejects.toMatchObject({ reason: { code: "media-refused", status: 404 } });
  });

  it("gives up when its time is over", async () => {
    const url = await serve(() => {});
    const leaving = new AbortController();
    const fetching = fetchMedia(url, LIMIT, leaving.signal, UNBOUNDED_MEMORY, loopback());
    leaving.abort();
    await expect(fetching).rejects.toThrow("media-too-late");
  });
});
