import type { UpstreamFault } from "@tollgate/contract/relay/upstream-fault";
import type { FailureDetail } from "@tollgate/relay/ports/transport";
import type { ProbeReason } from "@tollgate/relay/probe";
import type { Catalogue } from "./catalogue";
import { fillText } from "./fill-text";
import { cutText, formatRequestFault } from "./format-request-fault";

/** Describes an upstream's fault, in one language. */
export const formatUpstreamFault = (
  { upstreamFaults }: Catalogue,
  { code, ...values }: UpstreamFault,
): string => {
  const said: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) said[name] = cutText(String(value));
  return fillText(upstreamFaults[code], said);
};

/** Describes a failed attempt, for the log. */
export const formatFailure = (catalogue: Catalogue, detail: FailureDetail): string => {
  if (typeof detail === "string") return detail;
  const said = formatUpstreamFault(catalogue, detail);
  return detail.status === undefined ? said : `${detail.status} ${said}`;
};

/** Why the test of a channel failed. */
export const formatProbeReason = (catalogue: Catalogue, reason: ProbeReason): string => {
  if (typeof reason === "string") return reason;
  if ("transport" in reason) return catalogue.transportFailures[reason.transport];
  if ("fault" in reason) return formatUpstreamFault(catalogue, reason.fault);
  if ("request" in reason) return formatRequestFault(catalogue, reason.request);
  return `HTTP ${reason.status} ${formatUpstreamFault(catalogue, reason.answer)}`;
};
