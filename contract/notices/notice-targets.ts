import type { TargetField } from "./notice-target";
import { bark } from "./targets/bark";
import { dingtalk } from "./targets/dingtalk";
import { email } from "./targets/email";
import { feishu } from "./targets/feishu";
import { gotify } from "./targets/gotify";
import { telegram } from "./targets/telegram";
import { webhook } from "./targets/webhook";
import { wecom } from "./targets/wecom";

/** The targets to tell people something, in the order in which they are offered. */
export const NOTICE_TARGETS = [email, webhook, telegram, bark, gotify, wecom, dingtalk, feishu] as const;

export type NoticeTarget = (typeof NOTICE_TARGETS)[number];
export type NoticeTargetName = NoticeTarget["name"];

/** The names of the fields of all targets. */
export type NoticeFieldName = {
  [Target in NoticeTarget as Target["name"]]: keyof Target["fields"];
}[NoticeTargetName];

const BY_NAME: ReadonlyMap<string, NoticeTarget> = new Map(
  NOTICE_TARGETS.map((target) => [target.name, target]),
);

export const isTargetName = (name: string): name is NoticeTargetName => BY_NAME.has(name);

export const NOTICE_TARGET_NAMES: readonly NoticeTargetName[] = NOTICE_TARGETS.map(({ name }) => name);

/** The fields of a target by their names, in the order of the form. */
export const targetFieldsOf = (name: NoticeTargetName): [field: NoticeFieldName, declared: TargetField][] =>
  // Names of an object lose their types on the way.
  Object.entries<TargetField>(BY_NAME.get(name)?.fields ?? {}) as [NoticeFieldName, TargetField][];

/** Whether a field is never sent back. */
export const isSecretField = ({ type }: TargetField): boolean => type === "secret" || type === "secret-url";
