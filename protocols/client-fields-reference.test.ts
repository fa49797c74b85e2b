import { readFileSync, writeFileSync } from "node:fs";
import {
  type AskedField,
  FEATURES,
  type Feature,
  type FeatureWeight,
} from "@tollgate/contract/relay/features";
import type { ClientProtocolName, ProtocolName } from "@tollgate/contract/relay/protocol";
import { expect, it } from "vitest";
import { CLIENT_PROTOCOLS, UPSTREAM_PROTOCOLS } from "./protocols";
import { listAskedFields } from "./shared/request/asked-fields";
import { FIELD_SAMPLES } from "./shared/testing/field-samples";

/*
 * The tables of fields in docs/reference/clients.md follow from the protocols' own.
 */

const PROTOCOLS: readonly (readonly [ClientProtocolName, string])[] = [
  ["openai-chat", "Chat Completions"],
  ["openai-responses", "Responses"],
  ["anthropic-messages", "Messages"],
  ["gemini-generate", "generateContent"],
];

const OTHERS: readonly (readonly [ProtocolName, string])[] = [
  ["bedrock-converse", "Converse"],
  ["dashscope", "DashScope"],
  ["baidu", "Wenxin"],
  ["hunyuan", "Hunyuan"],
  ["hunyuan-legacy", "Hunyuan (old)"],
  ["spark", "Spark"],
  ["zhipu", "Zhipu (old)"],
  ["palm", "PaLM"],
  ["aiproxy-library", "AI Proxy library"],
];

const WITHOUT: Readonly<Record<FeatureWeight, string>> = {
  hint: "left out",
  wish: "left out, or refused",
  demand: "refused",
};

const PLACES: Readonly<Record<string, string>> = {
  "(cut)": "cut by the gateway",
  "(instructions)": "instructions",
};

const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``;

/** Formats the places of a feature without the values that it must have there. */
const describePlaces = (places: string): string =>
  [...new Set(places.split("|").map((place) => PLACES[place] ?? code(place.replace(/=.*/, ""))))].join(
    " or ",
  );

const carriedBy = (to: ProtocolName, feature: Feature): string => {
  const places = UPSTREAM_PROTOCOLS[to].carries[feature];
  return places === undefined ? "–" : describePlaces(places);
};

const othersFor = (feature: Feature): string =>
  OTHERS.filter(([name]) => UPSTREAM_PROTOCOLS[name].carries[feature] !== undefined)
    .map(([, title]) => title)
    .join(", ") || "–";

/** The feature that a sample asks for. */
const featureOf = (client: ClientProtocolName, path: string): Feature => {
  const { fields, spelling } = CLIENT_PROTOCOLS[client];
  const asked: AskedField[] = listAskedFields(FIELD_SAMPLES[client][path]?.fields ?? {}, fields, spelling);
  const found = asked.find((each) => each.path.replaceAll(/\[\d+\]/g, "") === path);
  if (!found) throw new Error(`the sample of ${path} asks for nothing`);
  return found.feature;
};

const tableOf = (client: ClientProtocolName, title: string): string => {
  const byFeature = new Map<Feature, string[]>();
  for (const path of Object.keys(FIELD_SAMPLES[client])) {
    const feature = featureOf(client, path);
    byFeature.set(feature, [...(byFeature.get(feature) ?? []), path]);
  }
  const upstreams = PROTOCOLS.filter(([name]) => name !== client);
  const order = Object.keys(FEATURES) as Feature[];
  const rows = order.flatMap((feature) => {
    const paths = byFeature.get(feature);
    if (!paths) return [];
    const cells = upstreams.map(([name]) => carriedBy(name, feature));
    return [
      `| ${[paths.map(code).join(", "), ...cells, othersFor(feature), WITHOUT[FEATURES[feature]]].join(" | ")} |`,
    ];
  });
  const head = ["field", ...upstreams.map(([, name]) => name), "others", "else"];
  return [
    `### From ${title}`,
    "",
    `| ${head.join(" | ")} |`,
    `|${" --- |".repeat(head.length)}`,
    ...rows,
  ].join("\n");
};

const START =
  '<!-- written by protocols/client-fields-reference.test.ts: UPDATE_DOCS=1 npx vitest run --project "unit*" protocols/client-fields -->';
const END = "<!-- end of what is written -->";

it("docs/reference/clients.md agrees with the tables of fields (if not: UPDATE_DOCS=1 npx vitest run protocols/client-fields)", () => {
  const url = new URL("../docs/reference/clients.md", import.meta.url);
  const text = readFileSync(url, "utf8");
  const [before = "", rest = ""] = text.split(START);
  const after = rest.split(END)[1];
  const tables = PROTOCOLS.map(([name, title]) => tableOf(name, title)).join("\n\n");
  const written = `${before}${START}\n\n${tables}\n\n${END}${after ?? ""}`;
  expect(after, "the marks stand in the document").toBeDefined();
  if (process.env.UPDATE_DOCS === "1") writeFileSync(url, written);
  else expect(text).toBe(written);
});
