import type { ClientError, GatewayErrorCode } from "@tollgate/contract/relay/error";
import type { Describe, Refusal } from "@tollgate/relay/ports";
import type { Language } from "../http/language";

interface Sentence {
  status: number;
  /** The code on the wire (contract section 2.7 where it has one). */
  code: string;
  zh: string;
  en: string;
}

/** What a client of /v1 is told, in both languages; the Chinese sentences begin as the contract's (section 2.1). */
const SENTENCES: Record<GatewayErrorCode, Sentence> = {
  "token-missing": {
    status: 401,
    code: "invalid_api_key",
    zh: "未提供令牌。请在 Authorization 头中以 Bearer sk-... 的形式提供令牌",
    en: "No API key was sent: put it into the Authorization header as Bearer sk-...",
  },
  "token-invalid": {
    status: 401,
    code: "invalid_api_key",
    zh: "无效的令牌。请检查令牌是否完整、是否已被删除",
    en: "This API key is not valid: check that it is complete and was not deleted",
  },
  "token-exhausted": {
    status: 401,
    code: "token_quota_exhausted",
    zh: "该令牌额度已用尽。请在控制台提高该令牌的额度",
    en: "This API key has used up its quota: raise it in the console",
  },
  "token-expired": {
    status: 401,
    code: "token_expired",
    zh: "该令牌已过期。请在控制台修改过期时间或新建令牌",
    en: "This API key has expired: change its expiry in the console, or make a new one",
  },
  "token-disabled": {
    status: 401,
    code: "token_disabled",
    zh: "该令牌状态不可用。请在控制台启用该令牌",
    en: "This API key is disabled: enable it in the console",
  },
  "user-disabled": {
    status: 403,
    code: "user_disabled",
    zh: "用户已被封禁。请联系管理员",
    en: "This key's user has been banned: contact the administrator",
  },
  "address-not-allowed": {
    status: 403,
    code: "address_not_allowed",
    zh: "该令牌不允许从地址 {address} 使用。请在控制台修改该令牌允许的地址",
    en: "This API key may not be used from the address {address}: change its allowed addresses in the console",
  },
  "model-not-allowed": {
    status: 403,
    code: "model_not_allowed",
    zh: "该令牌不允许使用模型 {model}。请在控制台修改该令牌允许的模型",
    en: "This API key may not use the model {model}: change its allowed models in the console",
  },
  "requests-limited": {
    status: 429,
    code: "rate_limit_exceeded",
    zh: "{scope}请求过于频繁：每分钟最多 {limit} 次，请在 {seconds} 秒后重试",
    en: "Rate limit reached for {scope}: at most {limit} requests per minute, try again in {seconds} s",
  },
  "tokens-limited": {
    status: 429,
    code: "rate_limit_exceeded",
    zh: "{scope} token 用量过大：每分钟最多 {limit} 个，请在 {seconds} 秒后重试，或缩短输入",
    en: "Rate limit reached for {scope}: at most {limit} tokens per minute, try again in {seconds} s or send a shorter prompt",
  },
  "concurrency-limited": {
    status: 429,
    code: "concurrency_limit_exceeded",
    zh: "{scope}同时进行的请求过多：最多 {limit} 个，请等待其他请求完成后重试",
    en: "Too many requests at the same time for {scope}: at most {limit}, try again when others have ended",
  },
  "daily-budget-exhausted": {
    status: 429,
    code: "daily_budget_exhausted",
    zh: "{scope}今日预算已用尽（{limit}）。请等待次日，或提高预算",
    en: "The daily budget of {scope} is used up ({limit}): wait for the next day, or raise the budget",
  },
  "monthly-budget-exhausted": {
    status: 429,
    code: "monthly_budget_exhausted",
    zh: "{scope}本月预算已用尽（{limit}）。请等待次月，或提高预算",
    en: "The monthly budget of {scope} is used up ({limit}): wait for the next month, or raise the budget",
  },
  "channel-pin-forbidden": {
    status: 403,
    code: "channel_not_allowed",
    zh: "普通用户不支持指定渠道",
    en: "Only administrators can name a channel in the API key",
  },
  "channel-pin-invalid": {
    status: 400,
    code: "invalid_channel",
    zh: "无效的渠道 Id",
    en: "There is no channel with the id named in the API key",
  },
  "channel-disabled": {
    status: 403,
    code: "channel_disabled",
    zh: "该渠道已被禁用",
    en: "The channel named in the API key is disabled",
  },
  "channel-unavailable": {
    status: 503,
    code: "no_available_channel",
    zh: "当前分组 {group} 下对于模型 {model} 无可用渠道：提供该模型的渠道均已停用。请稍后重试，或联系管理员",
    en: "Every channel that offers the model {model} to the group {group} is out of use: try again later, or ask the administrator",
  },
  // A name that nobody knows stays unknown: 404, because SDKs try a 503 again for a minute.
  "model-unknown": {
    status: 404,
    code: "model_not_found",
    zh: "当前分组 {group} 下对于模型 {model} 无可用渠道：没有渠道提供该模型。请检查模型名称，或联系管理员添加渠道",
    en: "No channel offers the model {model} to the group {group}: check the model's name, or ask the administrator for a channel",
  },
  "operation-unavailable": {
    status: 400,
    code: "operation_not_supported",
    zh: "模型 {model} 的渠道均不支持 {operation} 接口。请换用其他模型，或联系管理员添加支持该接口的渠道",
    en: "No channel of the model {model} offers {operation}: use another model, or ask the administrator for a channel that offers it",
  },
  "model-price-missing": {
    status: 403,
    code: "model_price_missing",
    zh: "模型 {model} 尚未设置价格。请管理员在“设置 - 运营设置 - 模型倍率”中加入该模型，或设置备用倍率",
    en: "The model {model} has no price: the administrator must add it under Settings, Operation, Model ratios, or set a fallback ratio",
  },
  "output-price-missing": {
    status: 403,
    code: "model_price_missing",
    zh: "模型 {model} 只设置了输入价格，输出价格未知。请管理员在“设置 - 运营设置 - 完成倍率”中加入该模型（输出价格是输入价格的几倍），或在“模型价格”中写明 output",
    en: "The model {model} has a price for its input only: the administrator must add it under Settings, Operation, Completion ratios (how many times the input its output costs), or give its output under Model prices",
  },
  "user-quota-exceeded": {
    status: 403,
    code: "insufficient_user_quota",
    zh: "用户额度不足。请充值后重试，或减小 max_tokens",
    en: "user quota is not enough: top up, or lower max_tokens",
  },
  "user-quota-held": {
    status: 429,
    code: "user_quota_held",
    zh: "用户额度已为进行中的请求预留。请等它们结束后重试，或充值、减小 max_tokens",
    en: "The user's quota is set aside for requests under way: try again when they have ended, top up, or lower max_tokens",
  },
  "token-quota-held": {
    status: 429,
    code: "token_quota_held",
    zh: "令牌额度已为进行中的请求预留。请等它们结束后重试，或提高该令牌的额度、减小 max_tokens",
    en: "This API key's quota is set aside for requests under way: try again when they have ended, raise it in the console, or lower max_tokens",
  },
  "token-quota-exceeded": {
    status: 403,
    code: "pre_consume_token_quota_failed",
    zh: "令牌额度不足。请在控制台提高该令牌的额度，或减小 max_tokens",
    en: "This API key's quota is not enough: raise it in the console, or lower max_tokens",
  },
  "body-not-json": {
    status: 400,
    code: "invalid_json",
    zh: "无效的请求：请求体不是合法的 JSON（{reason}）",
    en: "The request body is not valid JSON ({reason})",
  },
  "body-too-large": {
    status: 413,
    code: "request_too_large",
    zh: "请求体过大：最多 {limit} 字节",
    en: "The request body is too large: at most {limit} bytes",
  },
  "body-aborted": {
    status: 400,
    code: "request_aborted",
    zh: "请求体未完整送达",
    en: "The request body did not arrive whole",
  },
  "body-encoded": {
    status: 415,
    code: "unsupported_content_encoding",
    zh: "不支持压缩的请求体（Content-Encoding: {encoding}）。请不要压缩，直接发送",
    en: "Compressed request bodies are not supported (Content-Encoding: {encoding}): send the body as it is",
  },
  "body-not-utf8": {
    status: 400,
    code: "invalid_encoding",
    zh: "请求体不是合法的 UTF-8。请以 UTF-8 编码发送",
    en: "The request body is not valid UTF-8: send it in that encoding",
  },
  "body-too-deep": {
    status: 400,
    code: "body_too_deep",
    zh: "请求体嵌套过深：最多 {limit} 层",
    en: "The request body is nested too deeply: at most {limit} levels",
  },
  "body-holds-too-much": {
    status: 400,
    code: "body_too_complex",
    zh: "请求体内容过于繁复（{what} 最多 {limit}）。请拆分为多个请求",
    en: "The request body is too complex (at most {limit} {what}): split it into several requests",
  },
  "body-name-twice": {
    status: 400,
    code: "ambiguous_field",
    zh: "请求体有歧义：字段 {name} 与 {other} 在同一处，各上游的理解可能不同。请只保留一个",
    en: "The request body is ambiguous: the fields {name} and {other} stand in one place, and upstreams may read either. Send only one",
  },
  "body-name-misspelled": {
    status: 400,
    code: "ambiguous_field",
    zh: "请求体有歧义：字段 {name} 会被部分上游当作 {other}。请写作 {other}，或去掉该字段",
    en: "The request body is ambiguous: some upstreams take the field {name} for {other}. Write {other}, or leave it out",
  },
  "body-name-broken": {
    status: 400,
    code: "ambiguous_field",
    zh: "请求体有歧义：字段名 {name} 含有 NUL、不成对的代理字符，或过多的组合字符。请更正字段名",
    en: "The request body is ambiguous: the field name {name} holds a NUL, half of a surrogate pair or too many combining marks. Correct the name",
  },
  "bodies-limited": {
    status: 429,
    code: "concurrency_limit_exceeded",
    zh: "该用户同时进行的请求体过大：合计最多 {limit} 字节。请等待其他请求完成后重试",
    en: "The bodies of this user's requests under way are too large together: at most {limit} bytes. Try again when others have ended",
  },
  "bodies-full": {
    status: 503,
    code: "overloaded",
    zh: "网关正在处理的请求体过多。请稍后重试",
    en: "The gateway has too many request bodies on its hands. Please try again shortly",
  },
  "request-invalid": { status: 400, code: "invalid_request", zh: "无效的请求：{reason}", en: "{reason}" },
  "not-implemented": {
    status: 501,
    code: "api_not_implemented",
    zh: "API not implemented（本网关尚未提供该接口）",
    en: "API not implemented: this gateway does not offer this endpoint yet",
  },
  // https://www.rfc-editor.org/rfc/rfc9110#name-426-upgrade-required
  "websocket-not-offered": {
    status: 426,
    code: "websocket_not_supported",
    zh: "该接口不支持 WebSocket。请通过 HTTP（POST）发送请求",
    en: "This endpoint takes no WebSocket: send the request over HTTP (POST)",
  },
  "not-found": { status: 404, code: "not_found", zh: "Invalid URL ({target})", en: "Invalid URL ({target})" },
  "responses-not-stored": {
    status: 404,
    code: "response_not_found",
    zh: "本网关不保存 Responses 的回答（store 始终为 false），无法按编号读取、删除或续接。请在 input 中发送完整对话",
    en: "This gateway does not store responses (store is always false), so none can be read, deleted or continued by id: send the whole conversation as input",
  },
  "upstream-failed": {
    status: 502,
    code: "upstream_failed",
    zh: "上游服务出错或无法连接，未扣费。请稍后重试",
    en: "The upstream service failed or could not be reached; nothing was charged. Please try again later",
  },
  "upstream-rate-limited": {
    status: 429,
    code: "rate_limit_exceeded",
    zh: "当前分组上游负载已饱和，请稍后再试",
    en: "The upstream services of this group are at their limit, please try again later",
  },
  "upstream-refused": {
    status: 400,
    code: "upstream_refused",
    zh: "上游拒绝了该请求：{reason}",
    en: "The upstream service refused this request: {reason}",
  },
  "upstream-empty": {
    status: 502,
    code: "upstream_empty",
    zh: "上游返回了空的回答，未扣费。请稍后重试",
    en: "The upstream service gave an empty answer; nothing was charged. Please try again later",
  },
  "upstream-unusable": {
    status: 503,
    code: "no_available_channel",
    zh: "该模型的上游渠道暂不可用（上游密钥失效或无权使用该模型），未扣费。请联系管理员",
    en: "The upstream channel for this model cannot be used now (its key or its access to the model); nothing was charged. Please contact the administrator",
  },
  "upstream-timeout": {
    status: 504,
    code: "upstream_timeout",
    zh: "上游响应超时，未扣费。请稍后重试",
    en: "The upstream service did not answer in time; nothing was charged. Please try again later",
  },
  "upstream-interrupted": {
    status: 502,
    code: "upstream_interrupted",
    zh: "上游在回答途中中断，本次请求未扣费。请重试",
    en: "The upstream service broke off in the middle of its answer; this request was not charged. Please try again",
  },
  "shutting-down": {
    status: 503,
    code: "shutting_down",
    zh: "网关正在停止，请稍后重试",
    en: "The gateway is stopping, please try again shortly",
  },
  "storage-failing": {
    status: 503,
    code: "storage_failing",
    zh: "网关暂时无法保存扣费记录，因此不接受新请求，本次请求未扣费。请稍后重试；管理员请检查磁盘空间",
    en: "The gateway cannot store charges at the moment and takes no requests until it can; this one was not charged. Please try again later, or tell the administrator to look at the free space of the disk",
  },
  "storage-interrupted": {
    status: 503,
    code: "storage_failing",
    zh: "网关暂时无法保存扣费记录，回答在此中断；已送达的内容将在恢复后扣费",
    en: "The gateway cannot store charges at the moment, so that this answer ends here; what was delivered is charged as soon as it can be",
  },
  internal: {
    status: 500,
    code: "internal_error",
    zh: "网关内部错误，未扣费。请联系管理员并提供请求编号",
    en: "The gateway failed inside; nothing was charged. Please tell the administrator the request id",
  },
};

const fill = (sentence: string, params: Readonly<Record<string, string>>): string =>
  sentence.replace(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole);

/** Whose limit it is that a sentence speaks of. */
const SCOPES: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  zh: { key: "该令牌", user: "该用户", group: "该分组" },
  en: { key: "this API key", user: "this user", group: "this user's group" },
};

/** What a body holds too much of. */
const THINGS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  zh: {
    values: "值",
    names: "字段名",
    shapes: "不同的对象结构",
    escapes: "转义字符",
    "loose bytes": "字符串之外的字节",
  },
  en: {
    values: "values",
    names: "field names",
    shapes: "different shapes of objects",
    escapes: "escapes",
    "loose bytes": "bytes outside of strings",
  },
};

const paramsOf = (
  { params = {}, upstream }: Refusal,
  language: Language,
): Readonly<Record<string, string>> => {
  if (upstream) return { ...params, reason: upstream.message };
  const { scope, what } = params;
  if (scope !== undefined) return { ...params, scope: SCOPES[language][scope] ?? scope };
  return what === undefined ? params : { ...params, what: THINGS[language][what] ?? what };
};

const describe = (refusal: Refusal, language: Language): ClientError => {
  const sentence = SENTENCES[refusal.code];
  const { upstream } = refusal;
  return {
    status: upstream?.status ?? sentence.status,
    code: upstream && upstream.code !== "" ? upstream.code : (refusal.wireCode ?? sentence.code),
    message: fill(sentence[language], paramsOf(refusal, language)),
    ...(refusal.field === undefined ? {} : { param: refusal.field }),
    ...(refusal.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: refusal.retryAfterSeconds }),
  };
};

/** One function per language, so that no request makes its own. */
export const DESCRIBE: Readonly<Record<Language, Describe>> = {
  zh: (refusal) => describe(refusal, "zh"),
  en: (refusal) => describe(refusal, "en"),
};

/** The contract's answer to a path below /api or /v1 that does not exist (section 0.3). */
export const unknownPathBody = (method: string, target: string) => ({
  error: {
    message: `Invalid URL (${method} ${target.split("?")[0]})`,
    type: "invalid_request_error",
    param: "",
    code: "",
  },
});
