import { describe, expect, it } from "vitest";
import { clientLink } from "./client-links";

describe("clientLink", () => {
  it("gives a key to no third party: without a chat link of the site there is none", () => {
    expect(clientLink("next", "abc", "https://gate.example.com", "")).toBeUndefined();
    expect(clientLink("next", "abc", "https://gate.example.com", "https://chat.example.com/")).toBe(
      'https://chat.example.com/#/?settings={"key":"sk-abc","url":"https://gate.example.com"}',
    );
  });

  it("speaks to the clients on one's own device", () => {
    expect(clientLink("ama", "abc", "https://gate.example.com", "")).toBe(
      "ama://set-api-key?server=https%3A%2F%2Fgate.example.com&key=sk-abc",
    );
    expect(clientLink("opencat", "abc", "https://gate.example.com", "")).toBe(
      "opencat://team/join?domain=https%3A%2F%2Fgate.example.com&token=sk-abc",
    );
  });
});
