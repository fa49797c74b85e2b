import type { WayField } from "./notice-way";
import { bark } from "./ways/bark";
import { dingtalk } from "./ways/dingtalk";
import { email } from "./ways/email";
import { feishu } from "./ways/feishu";
import { gotify } from "./ways/gotify";
import { telegram } from "./ways/telegram";
import { webhook } from "./ways/webhook";
import { wecom } from "./ways/wecom";

/** The ways to tell people something, in the order in which they are offered. */
export const NOTICE_WAYS = [email, webhook, telegram, bark, gotify, wecom, dingtalk, feishu] as const;

export type NoticeWay = (typeof NOTICE_WAYS)[number];
export type NoticeWayName = NoticeWay["name"];

/** The names of the fields of all ways. */
export type NoticeFieldName = {
  [Way in NoticeWay as Way["name"]]: keyof Way["fields"];
}[NoticeWayName];

const BY_NAME: ReadonlyMap<string, NoticeWay> = new Map(NOTICE_WAYS.map((way) => [way.name, way]));

export const isWayName = (name: string): name is NoticeWayName => BY_NAME.has(name);

export const NOTICE_WAY_NAMES: readonly NoticeWayName[] = NOTICE_WAYS.map(({ name }) => name);

/** The fields of a way by their names, in the order of the form. */
export const wayFieldsOf = (name: NoticeWayName): [field: NoticeFieldName, declared: WayField][] =>
  // Names of an object lose their types on the way.
  Object.entries<WayField>(BY_NAME.get(name)?.fields ?? {}) as [NoticeFieldName, WayField][];

/** Whether a field is never sent back. */
export const isSecretField = ({ type }: WayField): boolean => type === "secret" || type === "secret-url";
