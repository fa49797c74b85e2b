/** What an option is worth before anybody has saved it (contract section 3.3). */
export const DEFAULT_OPTIONS: Record<string, string> = {
  PasswordLoginEnabled: "true",
  PasswordRegisterEnabled: "true",
  RegisterEnabled: "true",
  EmailVerificationEnabled: "false",
  GitHubOAuthEnabled: "false",
  WeChatAuthEnabled: "false",
  TurnstileCheckEnabled: "false",
  EmailDomainRestrictionEnabled: "false",
  EmailDomainWhitelist:
    "gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com",
  AutomaticDisableChannelEnabled: "false",
  AutomaticEnableChannelEnabled: "true",
  ApproximateTokenEnabled: "false",
  LogConsumeEnabled: "true",
  DisplayInCurrencyEnabled: "true",
  DisplayTokenStatEnabled: "true",
  ChannelDisableThreshold: "5",
  SMTPServer: "",
  SMTPFrom: "",
  SMTPAccount: "",
  SMTPPort: "587",
  Notice: "",
  About: "",
  HomePageContent: "",
  Footer: "",
  Logo: "",
  ServerAddress: "",
  GitHubClientId: "",
  WeChatServerAddress: "",
  WeChatAccountQRCodeImageURL: "",
  TurnstileSiteKey: "",
  QuotaForNewUser: "0",
  QuotaForInviter: "0",
  QuotaForInvitee: "0",
  QuotaRemindThreshold: "1000",
  PreConsumedQuota: "500",
  TopUpLink: "",
  ChatLink: "",
  QuotaPerUnit: "500000",
  RetryTimes: "0",
};

export const DEFAULT_GROUP_RATIOS_TEXT = '{"default":1,"svip":1,"vip":1}';

/** Saved, and never told again. */
export const SECRET_OPTIONS = ["SMTPToken", "WeChatServerToken", "GitHubClientSecret", "TurnstileSecretKey"];
