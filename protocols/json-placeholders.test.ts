import type { StreamPart } from "@tollgate/contract/relay/stream";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { describe, expect, it } from "vitest";
import { CLIENT_PROTOCOLS } from "./protocols";
import { JsonPlaceholders } from "./shared/json/json-placeholders";
import { STAMP, writeParts } from "./shared/testing/run-stream";

const filled = (placeholders: JsonPlaceholders, text: string): string =>
  Buffer.concat([...placeholders.fill(text)].filter((piece) => piece !== undefined)).toString();

describe("a stream whose JSON is written later", () => {
  it.each(Object.values(CLIENT_PROTOCOLS))(
    "equals for $name a stream whose JSON is written at once",
    (client) => {
      const parts: StreamPart[] = [
        { kind: "start", id: "a", model: "m" },
        { kind: "reasoning", index: 0, text: "Hm" },
        { kind: "reasoning-signature", index: 0, signature: "s" },
        { kind: "text", index: 1, text: "Hello" },
        { kind: "text", index: 1, text: " there" },
        { kind: "tool-call", index: 2, id: "t", name: "f" },
        { kind: "tool-arguments", index: 2, text: '{"a":' },
        { kind: "tool-call", index: 3, id: "u", name: "g" },
        { kind: "tool-arguments", index: 3, text: "{}" },
        { kind: "tool-arguments", index: 2, text: "1}" },
        { kind: "usage", usage: { ...NO_USAGE, inputTokens: 3, outputTokens: 4 } },
        { kind: "finish", reason: "tool-calls" },
      ];
      const placeholders = new JsonPlaceholders();
      let left = 0;
      const writer = client.createStreamWriter(STAMP, true, (value) => {
        // Behind that much everything has a place.
        for (let length = 200_000; length > 1; ) {
          const hasPlaceholder = placeholders.write({ text: "x".repeat(length) }).startsWith("\0");
          length = hasPlaceholder ? length / 2 : length;
        }
        const written = placeholders.write(value);
        if (written.startsWith("\0")) left += 1;
        return written;
      });
      const told = [...parts.map((part) => () => writer.push(part)), () => writer.end()];
      const text = told.map((tell) => filled(placeholders, tell())).join("");
      expect(text).toBe(writeParts(client, parts));
      expect(left).toBeGreaterThan(3);
    },
  );
});
