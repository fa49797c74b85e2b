import type { UpstreamErrorKind } from "@tollgate/contract/relay/error";

type Kinds = Partial<Record<UpstreamErrorKind, readonly (string | number)[]>>;

/*
 * What the codes of a vendor's errors mean, by channel type, where the protocol alone would mistake them. A code that
 * ends in "." stands for all codes that begin so.
 */
const KINDS: Readonly<Record<number, Kinds>> = {
  /** Azure (https://learn.microsoft.com/azure/ai-foundry/openai/quotas-limits): its quota is per minute. */
  3: {
    "rate-limited": ["insufficient_quota", "RateLimitReached", "429"],
    "model-missing": ["DeploymentNotFound", "OperationNotSupported"],
    caller: ["content_filter", "ResponsibleAIPolicyViolation", "BadRequest"],
    "dead-key": ["AccountDisabled", "401", "Unauthorized", "PermissionDenied"],
  },
  /** Baidu: numbers of the Wenxin workshop (https://cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh), words of Qianfan 2. */
  15: {
    "dead-key": [
      13,
      14,
      17,
      19,
      100,
      110,
      111,
      "invalid_client",
      "invalid_iam_token",
      "access_denied",
      "insufficient_quota",
    ],
    "rate-limited": [4, 18, 336501, 336502, "rpm_rate_limit_exceeded", "tpm_rate_limit_exceeded"],
    overloaded: [1, 2, 15, 336000, 336100, "internal_error", "server_overloaded"],
    "model-missing": [6, "invalid_model", "no_parameter_permission"],
    caller: [
      3,
      336001,
      336002,
      336003,
      336007,
      336008,
      336101,
      336103,
      336104,
      336105,
      "malformed_json",
      "invalid_messages",
      "invalid_argument",
      "characters_too_long",
      "tokens_too_long",
    ],
  },
  /** Zhipu, both of its APIs: https://docs.bigmodel.cn/cn/api/api-code */
  16: {
    "dead-key": [1000, 1001, 1002, 1003, 1004, 1110, 1111, 1112, 1113, 1121, 1309],
    "rate-limited": [1302, 1303, 1304, 1308, 1310, 1313],
    overloaded: [1120, 1200, 1230, 1234, 1305, 1312],
    "model-missing": [1211, 1212, 1220, 1221, 1222, 1311],
    caller: [1210, 1213, 1214, 1215, 1231, 1261, 1300, 1301],
  },
  /** DashScope, both of its APIs: https://help.aliyun.com/zh/model-studio/error-code */
  17: {
    "dead-key": ["InvalidApiKey", "invalid_api_key", "Arrearage", "arrearage"],
    "rate-limited": ["Throttling", "Throttling.", "LimitRequests", "insufficient_quota", "limit_requests"],
    overloaded: [
      "RequestTimeOut",
      "InternalError",
      "InternalError.",
      "SystemError",
      "ModelServingError",
      "ModelUnavailable",
    ],
    // A bare AccessDenied says in its words whether it means the model or the account.
    "model-missing": [
      "AccessDenied.",
      "AllocationQuota.",
      "Model.AccessDenied",
      "Workspace.AccessDenied",
      "ModelNotFound",
      "model_not_found",
    ],
    caller: [
      "InvalidParameter",
      "InvalidParameter.",
      "DataInspectionFailed",
      "data_inspection_failed",
      "InvalidURL",
    ],
  },
  /** Spark, socket and HTTP: https://www.xfyun.cn/doc/spark/Web.html */
  18: {
    "dead-key": [10015, 10016, 11200],
    "rate-limited": [10007, 11201, 11202, 11203],
    overloaded: [10000, 10001, 10002, 10006, 10008, 10009, 10010, 10011, 10012, 10110, 10222],
    "model-missing": [10404],
    caller: [10003, 10004, 10005, 10013, 10014, 10017, 10019, 10163, 10907],
  },
  /** 360 (https://ai.360.com/platform/docs). */
  19: {
    "dead-key": [1002, 1003, 1006],
    "model-missing": [1004],
    "rate-limited": [1005],
    caller: [1001, 1403],
  },
  /** FastGPT: https://doc.fastgpt.io/docs/introduction/development/openapi/chat */
  22: {
    "dead-key": [514, "unAuthApiKey", "unAuthorization", "insufficientQuota", "teamPointNotEnough"],
    "model-missing": ["appUnExist", "unExist"],
  },
  /** Tencent, API 3.0: https://cloud.tencent.com/document/product/1729/101838 */
  23: {
    overloaded: [
      "AuthFailure.SignatureExpire",
      "FailedOperation.EngineRequestTimeout",
      "FailedOperation.EngineServerError",
      "FailedOperation.EngineServerLimitExceeded",
      "FailedOperation.ConsoleServerError",
      "InternalError",
      "InternalError.",
    ],
    "dead-key": [
      "AuthFailure",
      "AuthFailure.",
      "FailedOperation.",
      "ResourceUnavailable.InArrears",
      "ResourceUnavailable.LowBalance",
      "ResourceUnavailable.StopUsing",
      "ResourceInsufficient.",
      2001,
      2002,
      2003,
    ],
    "model-missing": ["ResourceUnavailable.NotExist", "InvalidParameterValue.Model", "UnsupportedOperation"],
    "rate-limited": ["RequestLimitExceeded", "RequestLimitExceeded.", "LimitExceeded", "LimitExceeded."],
    caller: [
      4000,
      "InvalidParameter",
      "InvalidParameter.",
      "InvalidParameterValue",
      "InvalidParameterValue.",
      "MissingParameter",
      "UnknownParameter",
      "OperationDenied.",
    ],
  },
  /** Bedrock: https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html */
  33: {
    "dead-key": [
      "UnrecognizedClientException",
      "ExpiredTokenException",
      "IncompleteSignature",
      "IncompleteSignatureException",
      "MissingAuthenticationToken",
      "MissingAuthenticationTokenException",
    ],
    "rate-limited": ["ThrottlingException", "ServiceQuotaExceededException"],
    overloaded: [
      "ModelNotReadyException",
      "ServiceUnavailableException",
      "InternalServerException",
      "ModelTimeoutException",
      "ModelErrorException",
      "ModelStreamErrorException",
    ],
    "model-missing": ["ResourceNotFoundException"],
  },
};

const byType = new Map(
  Object.entries(KINDS).map(([type, kinds]) => [
    Number(type),
    new Map(
      (Object.entries(kinds) as [UpstreamErrorKind, readonly (string | number)[]][]).flatMap(
        ([kind, codes]) => codes.map((code): [string, UpstreamErrorKind] => [String(code), kind]),
      ),
    ),
  ]),
);

/**
 * What a vendor's own code means; undefined when the vendor has none of that name.
 * @param type the channel's type.
 */
export const findErrorKind = (type: number, code: string): UpstreamErrorKind | undefined => {
  const kinds = byType.get(type);
  return kinds?.get(code) ?? kinds?.get(code.slice(0, code.indexOf(".") + 1));
};
