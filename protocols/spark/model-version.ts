import { lookUp } from "../shared/json/json-values";

/** The address of a version of the model. */
export interface ModelVersion {
  path: string;
  /** The version's name in the request. */
  domain: string;
}

/** https://www.xfyun.cn/doc/spark/Web.html, by the version that a channel or a model's name gives. */
const VERSIONS: Readonly<Record<string, ModelVersion>> = {
  "v1.1": { path: "/v1.1/chat", domain: "lite" },
  "v2.1": { path: "/v2.1/chat", domain: "generalv2" },
  "v3.1": { path: "/v3.1/chat", domain: "generalv3" },
  "v3.1-128k": { path: "/chat/pro-128k", domain: "pro-128k" },
  "v3.5": { path: "/v3.5/chat", domain: "generalv3.5" },
  "v3.5-32k": { path: "/chat/max-32k", domain: "max-32k" },
  "v4.0": { path: "/v4.0/chat", domain: "4.0Ultra" },
  kjwx: { path: "/v1.1/chat_kjwx", domain: "kjwx" },
};

/** Names of the versions in the vendor's sales and in its HTTP API. */
const NAMES: Readonly<Record<string, string>> = {
  "spark-lite": "v1.1",
  lite: "v1.1",
  general: "v1.1",
  generalv2: "v2.1",
  "spark-pro": "v3.1",
  generalv3: "v3.1",
  "spark-pro-128k": "v3.1-128k",
  "pro-128k": "v3.1-128k",
  "spark-max": "v3.5",
  "generalv3.5": "v3.5",
  "spark-max-32k": "v3.5-32k",
  "max-32k": "v3.5-32k",
  "spark-4.0-ultra": "v4.0",
  "4.0ultra": "v4.0",
};

/** The specification's default for the channel's field. */
const DEFAULT_VERSION = "v2.1";

/**
 * Finds the version: the one that the model's name ends in (SparkDesk-v3.5), the one of a name on its own, the
 * channel's, or the default.
 * @param other the channel's field for it.
 */
export const findVersion = (model: string, other: string): ModelVersion => {
  const name = model.toLowerCase();
  const inName = lookUp(NAMES, name) ?? /^sparkdesk-(.+)$/.exec(name)?.[1];
  const version = (inName ?? (other.trim() || DEFAULT_VERSION)).toLowerCase();
  const known = lookUp(VERSIONS, version) ?? lookUp(VERSIONS, `v${version}`);
  // A version that came out later follows the rule of the others.
  return known ?? { path: `/${version}/chat`, domain: `general${version.replace(/\.0$/, "")}` };
};
