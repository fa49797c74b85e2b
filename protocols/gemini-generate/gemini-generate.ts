import type { ClientProtocol, UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import { client } from "./client";
import { upstream } from "./upstream";

/** Gemini's generateContent, both sides: https://ai.google.dev/api/generate-content */
export const geminiGenerate: ClientProtocol & UpstreamProtocol = { ...upstream, ...client };
