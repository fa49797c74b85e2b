import type { Channel } from "@tollgate/contract/api/channels";
import { upstreamNamesOf } from "@tollgate/contract/management/model-mapping";
import type { UpstreamTarget } from "../ports/directory";

/** The first version that supports a stream's usage. */
const FIRST_WITH_STREAM_OPTIONS = "2024-09-01";

/** Values of the channel's field that mean the API without dated versions. */
const UNDATED = /^(?:v1|latest|preview)$/i;

const apiVersion = ({ channel, vendor }: UpstreamTarget): string =>
  channel.other.trim() || (vendor.other?.default ?? "");

/**
 * The deployment of a model: a name that the channel's mapping gives is the administrator's word; else dots and the
 * dates of old snapshots go, as deployments were named when the contract was written (section 5).
 * @param model the name after the mapping.
 */
export const deploymentOf = (channel: Channel, model: string): string => {
  const isMapped = Object.keys(channel.modelMapping).some((asked) =>
    upstreamNamesOf(channel.modelMapping, asked).includes(model),
  );
  if (isMapped) return model.replace(/^gpt-3\.5/, "gpt-35");
  return model.replaceAll(".", "").replace(/-(?:0301|0314|0613)$/, "");
};

/**
 * Azure's addresses: https://learn.microsoft.com/azure/ai-foundry/openai/reference
 * @param path an operation's path, which starts with "/v1/".
 */
export const azurePath = (entry: UpstreamTarget, path: string, deployment: string): string => {
  const { basePath } = entry;
  const task = path.replace(/^\/v1\//, "/");
  const version = apiVersion(entry);
  if (UNDATED.test(version)) {
    return `${basePath}/openai/v1${task}${/^preview$/i.test(version) ? "?api-version=preview" : ""}`;
  }
  // Cloudflare's gateway has the first part in its own address.
  const deployments = entry.hasVersion ? "" : "/openai/deployments";
  const query = `api-version=${encodeURIComponent(version)}`;
  return `${basePath}${deployments}/${encodeURIComponent(deployment)}${task}?${query}`;
};

/** Whether this API version supports `stream_options`; older ones reject it. */
export const hasStreamOptions = (entry: UpstreamTarget): boolean => {
  const version = apiVersion(entry);
  return UNDATED.test(version) || version.slice(0, 10) >= FIRST_WITH_STREAM_OPTIONS;
};
