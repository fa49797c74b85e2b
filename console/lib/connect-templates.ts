import { listConnectTemplates } from "@tollgate/contract/api/connect-templates";
import { type ConnectTemplate, isConnectLink } from "@tollgate/contract/management/connect-templates";
import type { Connection } from "./connect-guides";
import { endpointQuery } from "./endpoint-query";

/** Servers with only the one-api contract have none; the built-in guides are enough there. */
export const connectTemplatesQuery = { ...endpointQuery(listConnectTemplates, {}), meta: { silent: true } };

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** Placeholders of a link; `cherryConfig` is new-api's. */
const linkValues = ({ address, key, model }: Connection): Readonly<Record<string, string>> => ({
  address,
  key,
  model,
  cherryConfig: base64(JSON.stringify({ id: "tollgate", baseUrl: address, apiKey: key })),
});

const fill = (
  template: string,
  values: Readonly<Record<string, string>>,
  encode: (value: string) => string,
): string =>
  template.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? placeholder : encode(value);
  });

/** The link or text of a template for one connection; undefined for a link with an unknown target. */
export const fillTemplate = (
  { kind, template }: ConnectTemplate,
  connection: Connection,
): string | undefined => {
  if (kind === "text") return fill(template, { ...connection }, (value) => value);
  const link = fill(template, linkValues(connection), encodeURIComponent);
  return isConnectLink(link) ? link : undefined;
};

/** The host that receives the key through a web link; undefined for a program on this device. */
export const hostOf = (link: string): string | undefined =>
  /^https?:/i.test(link) && URL.canParse(link) ? new URL(link).host : undefined;
