import type { AuthStyle } from "@tollgate/vendors/define-vendor";

/**
 * The headers that carry a key unchanged; empty for styles that sign each request.
 * @param key in clear.
 */
export const staticHeaders = (style: AuthStyle, key: string): Record<string, string> => {
  switch (style) {
    case "bearer":
      return { authorization: `Bearer ${key}` };
    case "x-api-key":
      return { "x-api-key": key };
    case "api-key":
      return { "api-key": key };
    case "x-goog-api-key":
      return { "x-goog-api-key": key };
    case "aws-sigv4":
    case "baidu-oauth":
    case "google-oauth":
    case "spark-url":
    case "tencent-legacy":
    case "tencent-tc3":
    case "zhipu-jwt":
      return {};
  }
};
