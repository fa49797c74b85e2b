import type { Language } from "./http/language";

/*
 * Every sentence that /api says, in both languages. The Chinese ones are the contract's where it has one.
 * {name} is filled in.
 */
const MESSAGES = {
  "invalid-parameter": { zh: "无效的参数", en: "Invalid parameter" },
  "invalid-field": { zh: "无效的参数：{field}（{reason}）", en: "Invalid parameter: {field} ({reason})" },
  "field-not-whole": { zh: "必须是整数", en: "must be a whole number" },
  "field-too-small": { zh: "不能小于 {limit}", en: "must be at least {limit}" },
  "field-not-above": { zh: "必须大于 {limit}", en: "must be more than {limit}" },
  "field-too-big": { zh: "不能大于 {limit}", en: "must be at most {limit}" },
  "field-too-long": { zh: "最多 {limit} 个字符", en: "must have at most {limit} characters" },
  "body-too-large": {
    zh: "请求体过大：最多 {limit} 字节",
    en: "The request body is too large: at most {limit} bytes",
  },
  "body-too-complex": {
    zh: "无效的参数：请求体嵌套过深或内容过多",
    en: "Invalid parameter: the request body is nested too deeply or holds too much",
  },
  "not-signed-in": {
    zh: "无权进行此操作，未登录且未提供 access token",
    en: "Not allowed: you are not signed in and sent no access token",
  },
  "access-token-invalid": {
    zh: "无权进行此操作，access token 无效",
    en: "Not allowed: the access token is not valid",
  },
  "user-disabled": { zh: "用户已被封禁", en: "This user has been banned" },
  "role-too-low": { zh: "无权进行此操作，权限不足", en: "Not allowed: your role does not permit this" },
  "origin-refused": {
    zh: "请求来源不被允许，请从本站页面操作。页面地址为 {origin}，而网关收到的 Host 为 {host}：若两者本应相同，请让反向代理传递原来的 Host（nginx：proxy_set_header Host $http_host），或将页面地址加入 ALLOWED_ORIGINS",
    en: "This origin may not do that: use the console's own pages. The page is of {origin}, the gateway was asked for as {host}: where these are one site, let the reverse proxy pass the Host on (nginx: proxy_set_header Host $http_host), or add the page's origin to ALLOWED_ORIGINS",
  },
  "password-login-off": {
    zh: "管理员关闭了密码登录",
    en: "The administrator has switched password sign-in off",
  },
  "login-failed": {
    zh: "用户名或密码错误，或用户已被封禁",
    en: "Wrong user name or password, or the user has been banned",
  },
  "setup-pending": {
    zh: "root 尚未设置密码，请先打开服务启动时在终端或日志中打印的链接",
    en: "root has no password yet: first open the link that the server printed on its terminal, or in its log, when it started",
  },
  "setup-code-wrong": {
    zh: "设置链接不正确，请使用服务最近一次启动时打印的链接",
    en: "This set-up link is not right: use the one that the server printed at its latest start",
  },
  "setup-code-expired": {
    zh: "设置链接已过期，请重启服务以获得新的链接",
    en: "This set-up link has expired: restart the server to get a new one",
  },
  "setup-done": {
    zh: "root 的密码已经设置，请直接登录",
    en: "root's password has been set already: sign in",
  },
  "too-many-attempts": {
    zh: "尝试次数过多，请稍后再试",
    en: "Too many attempts, please try again later",
  },
  "sign-in-busy": {
    zh: "正在处理的登录请求过多，请几秒后重试",
    en: "Too many passwords are being checked at the moment: try again in a few seconds",
  },
  "username-taken": { zh: "用户名已被占用", en: "This user name is taken" },
  "username-too-long": {
    zh: "输入不合法：用户名最多 12 个字符",
    en: "Invalid input: a user name has at most 12 characters",
  },
  "display-name-too-long": {
    zh: "输入不合法：显示名称最多 20 个字符",
    en: "Invalid input: a display name has at most 20 characters",
  },
  "current-password-needed": {
    zh: "修改用户名或密码前请重新登录，或提供当前密码",
    en: "Sign in again before changing the user name or password, or send the current password",
  },
  "fresh-sign-in-needed": {
    zh: "请先重新登录：此操作须在登录后 15 分钟内进行，不能使用 access token",
    en: "Sign in again first: this can be done within 15 minutes of a sign-in, and not with an access token",
  },
  "current-password-wrong": { zh: "当前密码错误", en: "The current password is wrong" },
  "password-length": {
    zh: "输入不合法：密码长度必须在 8 到 20 个字符之间",
    en: "Invalid input: a password has 8 to 20 characters",
  },
  "record-not-found": { zh: "记录不存在", en: "There is no such record" },
  "token-name-too-long": { zh: "令牌名称过长", en: "The token's name is too long (at most 30 characters)" },
  "token-too-many": {
    zh: "令牌数量已达上限（{limit} 个），请先删除不用的令牌",
    en: "You have {limit} keys, which is the most: delete some that are not used",
  },
  "token-expired-cannot-enable": {
    zh: "令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期",
    en: "The token has expired: change its expiry or set it to never before enabling it",
  },
  "token-exhausted-cannot-enable": {
    zh: "令牌可用额度已用尽，无法启用，请先修改令牌剩余额度，或者设置为无限额度",
    en: "The token's quota is used up: raise it or make it unlimited before enabling it",
  },
  "status-invalid": { zh: "无效的状态", en: "Invalid status" },
  "channel-type-unknown": { zh: "未知的渠道类型：{type}", en: "Unknown channel type: {type}" },
  "channel-unusable": {
    zh: "渠道的地址或密钥格式不正确，无法转发，请编辑该渠道",
    en: "The channel's address or key has a form that cannot be used: edit the channel",
  },
  "channel-name-missing": { zh: "请填写渠道名称", en: "Enter a name for the channel" },
  "channel-name-too-long": {
    zh: "渠道名称过长（最多 100 个字符）",
    en: "The channel's name is too long (at most 100 characters)",
  },
  "channel-key-missing": { zh: "请填写渠道密钥", en: "Enter the channel's key" },
  "channel-key-again": {
    zh: "更改渠道的类型、地址、区域或代理后，必须重新填写密钥：已保存的密钥不会发送到新的地址",
    en: "Enter the key again: a stored key is not sent elsewhere when the channel's type, address, region or proxy changes",
  },
  "channel-key-invalid": {
    zh: "渠道密钥含有无法发送的字符（空格、控制字符或非 ASCII 字符）",
    en: "The channel's key has characters that cannot be sent (blanks, control or non-ASCII characters)",
  },
  "channel-key-malformed": {
    zh: "密钥格式不正确，应为：{format}",
    en: "The key does not have the form of this channel type: {format}",
  },
  "channel-key-malformed-line": {
    zh: "第 {line} 行的密钥格式不正确，应为：{format}",
    en: "The key in line {line} does not have the form of this channel type: {format}",
  },
  "channel-other-invalid": {
    zh: "私有部署地址不合法，应以 http:// 或 https:// 开头",
    en: "The address of the private deployment is not valid: it must begin with http:// or https://",
  },
  "channel-region-invalid": {
    zh: "区域不合法，例如：global、us-central1",
    en: "This is no region: it looks like global or us-central1",
  },
  "channel-models-missing": { zh: "请至少选择一个模型", en: "Choose at least one model" },
  "channel-base-url-missing": {
    zh: "该渠道类型必须填写 Base URL",
    en: "This channel type needs a base URL",
  },
  "channel-base-url-invalid": {
    zh: "Base URL 不合法，应以 http:// 或 https:// 开头，且不含用户名和密码",
    en: "The base URL is not valid: it must begin with http:// or https://, without a name or password",
  },
  "channel-proxy-invalid": {
    zh: "代理地址不合法，应以 http:// 或 https:// 开头",
    en: "The proxy's address is not valid: it must begin with http:// or https://",
  },
  "channel-mapping-invalid": {
    zh: "模型映射必须是合法的 JSON 格式，且值均为字符串",
    en: "The model mapping must be a JSON object whose values are strings",
  },
  "channel-test-running": { zh: "测试已在运行中", en: "A test is already running" },
  "channel-test-failed": { zh: "测试失败：{reason}", en: "The test failed: {reason}" },
  "channel-balance-unsupported": { zh: "尚未实现", en: "This channel type reports no balance" },
  "option-choice-invalid": {
    zh: "{key} 必须是以下之一：{values}",
    en: "{key} must be one of: {values}",
  },
  "option-number-invalid": {
    zh: "{key} 必须是 {min} 到 {max} 之间的数字",
    en: "{key} must be a number from {min} to {max}",
  },
  "option-switch-invalid": { zh: "{key} 只能是 true 或 false", en: "{key} can only be true or false" },
  "option-invalid-ModelRatio": {
    zh: "模型倍率不是合法的 JSON 字符串，或其中的倍率不是非负数",
    en: "The model ratios are not a JSON object of non-negative numbers",
  },
  "token-subnet-invalid": {
    zh: "{entry} 不是 IP 地址或网段，例如 203.0.113.7 或 10.0.0.0/8",
    en: "{entry} is no address and no network, such as 203.0.113.7 or 10.0.0.0/8",
  },
  "option-data-invalid": {
    zh: "{key} 的值不可用，问题在：{place}（JSON 表示整段文本不是 JSON 对象）",
    en: "{key} cannot be used as it is; look at: {place} (JSON means that the whole text is no JSON object)",
  },
  "option-invalid-CompletionRatio": {
    zh: "完成倍率不是合法的 JSON 字符串，或其中的倍率不是非负数",
    en: "The completion ratios are not a JSON object of non-negative numbers",
  },
  "option-invalid-ServiceTierRatio": {
    zh: "服务等级倍率不是合法的 JSON 字符串，或其中的倍率不是正数",
    en: "The service tier ratios are not a JSON object of positive numbers",
  },
  "option-invalid-ToolPrice": {
    zh: "工具价格不是合法的 JSON 字符串，或其中的价格不是非负数",
    en: "The tool prices are not a JSON object of non-negative numbers",
  },
  "option-invalid-GroupRatio": {
    zh: "分组倍率不是合法的 JSON 字符串，或其中的倍率不是非负数",
    en: "The group ratios are not a JSON object of non-negative numbers",
  },
  "option-root-only": {
    zh: "{key} 涉及登录、邮件或赠送额度，只有超级管理员可以修改",
    en: "{key} decides about sign-in, mail or granted quota: only root may change it",
  },
  "option-picture-plain": {
    zh: "{key} 须以 https:// 开头：本站以 HTTPS 打开，浏览器不会显示 http:// 图片",
    en: "{key} must begin with https://: this site is opened over HTTPS, where browsers show no http:// picture",
  },
  "option-needs-session": {
    zh: "{key} 决定谁能登录，不能使用 access token 修改，请登录后修改",
    en: "{key} decides who can sign in: sign in to change it, an access token is not enough",
  },
  "option-text-invalid": { zh: "{key} 含有控制字符", en: "{key} has control characters" },
  "option-needs-GitHubOAuthEnabled": {
    zh: "无法启用 GitHub OAuth，请先填入 GitHub Client Id 以及 GitHub Client Secret！",
    en: "GitHub OAuth needs the GitHub Client Id and Client Secret first",
  },
  "option-needs-EmailDomainRestrictionEnabled": {
    zh: "无法启用邮箱域名限制，请先填入限制的邮箱域名！",
    en: "The e-mail domain restriction needs a list of domains first",
  },
  "option-needs-WeChatAuthEnabled": {
    zh: "无法启用微信登录，请先填入微信登录相关配置信息！",
    en: "WeChat sign-in needs its settings first",
  },
  "option-needs-TurnstileCheckEnabled": {
    zh: "无法启用 Turnstile 校验，请先填入 Turnstile 校验相关配置信息！",
    en: "Turnstile needs its keys first",
  },
  "register-off": { zh: "管理员关闭了新用户注册", en: "The administrator has switched registration off" },
  "password-register-off": {
    zh: "管理员关闭了通过密码进行注册，请使用第三方账户验证的形式进行注册",
    en: "The administrator has switched registration by password off: register with an external account",
  },
  "username-invalid": {
    zh: "输入不合法：用户名不能为空，且不能含有空白或控制字符",
    en: "Invalid input: a user name cannot be empty or have blanks or control characters",
  },
  "email-code-needed": {
    zh: "管理员开启了邮箱验证，请输入邮箱地址和验证码",
    en: "E-mail verification is on: enter an address and its code",
  },
  "code-invalid": { zh: "验证码错误或已过期", en: "The code is wrong or has expired" },
  "email-domain-refused": {
    zh: "管理员启用了邮箱域名白名单，您的邮箱地址的域名不在白名单中",
    en: "Only some e-mail domains are allowed here, and yours is not among them",
  },
  "email-taken": { zh: "邮箱地址已被占用", en: "This e-mail address belongs to another account" },
  "email-too-long": { zh: "输入不合法：邮箱地址过长", en: "Invalid input: the e-mail address is too long" },
  "mail-not-configured": { zh: "SMTP 服务器未配置", en: "No SMTP server is configured" },
  "mail-failed": {
    zh: "邮件发送失败，请稍后重试或联系管理员",
    en: "The mail could not be sent: try again later or contact the administrator",
  },
  "reset-link-invalid": { zh: "重置链接非法或已过期", en: "The reset link is not valid or has expired" },
  "cannot-delete-root": { zh: "不能删除超级管理员账户", en: "The root account cannot be deleted" },
  "user-not-found": { zh: "用户不存在", en: "There is no such user" },
  "user-rank-view": {
    zh: "无权获取同级或更高等级用户的信息",
    en: "You cannot see users of your own or a higher rank",
  },
  "user-rank-create": {
    zh: "无法创建权限大于等于自己的用户",
    en: "You cannot create a user of your own or a higher rank",
  },
  "user-rank-change": {
    zh: "无权更新同权限等级或更高权限等级的用户信息",
    en: "You cannot change users of your own or a higher rank",
  },
  "user-rank-raise": {
    zh: "无权将其他用户权限等级提升到大于等于自己的权限等级",
    en: "You cannot raise a user to your own or a higher rank",
  },
  "user-rank-delete": {
    zh: "无权删除同权限等级或更高权限等级的用户",
    en: "You cannot delete users of your own or a higher rank",
  },
  "root-cannot-disable": { zh: "无法禁用超级管理员用户", en: "The root user cannot be banned" },
  "root-cannot-delete": { zh: "无法删除超级管理员用户", en: "The root user cannot be deleted" },
  "root-cannot-demote": { zh: "无法降级超级管理员用户", en: "The root user cannot be demoted" },
  "promote-needs-root": {
    zh: "普通管理员用户无法提升其他用户为管理员",
    en: "Only root can promote users to administrators",
  },
  "already-admin": { zh: "该用户已经是管理员", en: "This user is an administrator already" },
  "already-user": { zh: "该用户已经是普通用户", en: "This user is an ordinary user already" },
  "group-invalid": {
    zh: "分组名称不合法（每个最多 32 个字符，最多 32 个）",
    en: "The groups are not valid (at most 32 characters each, at most 32 of them)",
  },
  "redemption-key-missing": { zh: "未提供兑换码", en: "No code was sent" },
  "redemption-unknown": { zh: "兑换失败，无效的兑换码", en: "Not redeemed: there is no such code" },
  "redemption-used": { zh: "兑换失败，该兑换码已被使用", en: "Not redeemed: this code has been used" },
  "redemption-disabled": { zh: "兑换失败，该兑换码已被禁用", en: "Not redeemed: this code is disabled" },
  "redemption-name-length": {
    zh: "兑换码名称长度必须在1-20之间",
    en: "A code's name must have 1 to 20 characters",
  },
  "redemption-count-positive": { zh: "兑换码个数必须大于0", en: "The number of codes must be above 0" },
  "redemption-count-max": {
    zh: "一次兑换码批量生成的个数不能大于 100",
    en: "At most 100 codes can be made at once",
  },
  "redemption-is-used": {
    zh: "该兑换码已被使用，不能再修改",
    en: "This code has been used and cannot be changed",
  },
  "redemption-quota-range": {
    zh: "兑换失败，账户额度将超出允许的上限",
    en: "Not redeemed: the account cannot hold so much quota",
  },
  "github-off": {
    zh: "管理员未开启通过 GitHub 登录以及注册",
    en: "Signing in with GitHub is switched off",
  },
  "oauth-state-invalid": { zh: "state is empty or not same", en: "state is empty or not same" },
  "github-unreachable": {
    zh: "无法连接至 GitHub 服务器，请稍后重试！",
    en: "GitHub could not be reached, please try again later",
  },
  "github-user-empty": {
    zh: "返回值非法，用户字段为空，请稍后重试！",
    en: "GitHub did not name the user, please try again later",
  },
  "github-taken": { zh: "该 GitHub 账户已被绑定", en: "This GitHub account is bound to another user" },
  "wechat-off": {
    zh: "管理员未开启通过微信登录以及注册",
    en: "Signing in with WeChat is switched off",
  },
  "wechat-unreachable": {
    zh: "无法连接至微信登录服务器，请稍后重试",
    en: "The WeChat server could not be reached, please try again later",
  },
  "wechat-taken": { zh: "该微信账号已被绑定", en: "This WeChat account is bound to another user" },
  "turnstile-missing": { zh: "Turnstile token 为空", en: "The Turnstile token is missing" },
  "turnstile-failed": {
    zh: "Turnstile 校验失败，请刷新重试！",
    en: "The Turnstile check failed: reload the page and try again",
  },
  "turnstile-unreachable": {
    zh: "无法完成 Turnstile 校验，请稍后重试",
    en: "The Turnstile check could not be made, please try again later",
  },
  "too-many-requests": { zh: "请求过于频繁，请稍后再试", en: "Too many requests, please try again later" },
  "balance-unreachable": {
    zh: "余额查询失败：无法连接上游，请检查渠道的代理地址和网络",
    en: "The balance could not be read: the upstream cannot be reached, check the channel's address and the network",
  },
  "balance-key-refused": {
    zh: "余额查询失败：上游拒绝了该渠道的密钥（HTTP {status}），请检查密钥是否有效、是否有权查询余额",
    en: "The balance could not be read: the upstream refused the channel's key (HTTP {status}), check that it is valid and may read the balance",
  },
  "balance-status": {
    zh: "余额查询失败：上游返回 HTTP {status}",
    en: "The balance could not be read: the upstream answered HTTP {status}",
  },
  "balance-unreadable": {
    zh: "余额查询失败：上游的回答中没有余额，该地址可能不提供余额查询",
    en: "The balance could not be read: the upstream's answer has none, its address may not offer it",
  },
  "timestamp-required": { zh: "target timestamp is required", en: "target timestamp is required" },
  internal: {
    zh: "服务器内部错误，请联系管理员（request id: {requestId}）",
    en: "Internal error, please contact the administrator (request id: {requestId})",
  },
} as const satisfies Record<string, Record<Language, string>>;

export type MessageKey = keyof typeof MESSAGES;

/** A sentence of the catalogue with its {names} filled in. */
export const say = (
  language: Language,
  key: MessageKey,
  params: Record<string, string | number> = {},
): string =>
  MESSAGES[key][language].replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
