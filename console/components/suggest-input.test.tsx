// @vitest-environment happy-dom

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, expect, it } from "vitest";
import { cleanup, render, screen } from "../testing/draw";
import SuggestInput from "./suggest-input";

const field = (
  <QueryClientProvider client={new QueryClient()}>
    <SuggestInput
      label="channel"
      control={{ id: "channel" }}
      value="3"
      source={{ kind: "none", find: async () => [] }}
      onType={() => undefined}
      onChoose={() => undefined}
      isFocusedAtFirst
    />
  </QueryClientProvider>
);

afterEach(cleanup);

it("takes the focus of the plain field that it replaces", () => {
  render(field);
  expect(document.activeElement).toBe(screen.getByLabelText("channel"));
});

it("leaves the focus where the person has gone on to", () => {
  const next = document.body.appendChild(document.createElement("input"));
  next.focus();
  render(field);
  expect(document.activeElement).toBe(next);
  next.remove();
});
