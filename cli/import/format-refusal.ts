import { formatError } from "@tollgate/server/locales/format-data-fault";
import { type SourceFault, SourceRefused } from "@tollgate/storage/sources/source-fault";
import { ImportRefused, REFUSAL_TEXTS } from "./import-refused";
import { fillIn, type Language, type Text } from "./language";

const SOURCE_TEXTS: Readonly<Record<SourceFault["code"], Text>> = {
  "source-address-invalid": {
    en: "--from is no file that exists and no address that can be read. It is the path of an SQLite file, or an address such as mysql://user:password@host:3306/database, postgres://user:password@host:5432/database, or what SQL_DSN of the source says.",
    zh: "--from 既不是存在的文件，也不是可识别的地址。请填写 SQLite 文件路径，或 mysql://用户:密码@主机:3306/数据库、postgres://用户:密码@主机:5432/数据库，或来源程序的 SQL_DSN。",
  },
  "source-missing": { en: "There is no file {path}.", zh: "文件 {path} 不存在。" },
  "source-no-database": { en: "{path} is no SQLite database.", zh: "{path} 不是 SQLite 数据库。" },
  "source-unreadable": { en: "{path} cannot be read ({reason}).", zh: "无法读取 {path}（{reason}）。" },
  "source-damaged": {
    en: "{path} is damaged ({reason}). Repair a copy of it first: sqlite3 <file> .recover | sqlite3 <new file>.",
    zh: "{path} 已损坏（{reason}）。请先修复其副本：sqlite3 <文件> .recover | sqlite3 <新文件>。",
  },
  "source-busy": {
    en: "Somebody writes to {path}: stop the program that works with it, so that nothing is lost on the way.",
    zh: "{path} 正在被写入：请先停止使用它的程序，以免遗漏数据。",
  },
  "source-unreachable": {
    en: "No database server answers on {host} ({reason}).",
    zh: "{host} 上没有数据库服务应答（{reason}）。",
  },
  "source-sign-in-refused": {
    en: "The database server on {host} does not let {user} in: look at the user and the password.",
    zh: "{host} 上的数据库拒绝用户 {user} 登录：请检查用户名和密码。",
  },
  "source-database-missing": {
    en: "There is no database {database} on {host}.",
    zh: "{host} 上没有数据库 {database}。",
  },
  "source-failed": {
    en: "The database {place} could not be read: the server says {reason}.",
    zh: "无法读取数据库 {place}：服务器返回 {reason}。",
  },
};

/** Says why nothing was imported. Addresses with passwords are in none of these. */
export const formatRefusal = (error: unknown, language: Language): string => {
  if (error instanceof ImportRefused) return fillIn(REFUSAL_TEXTS[error.code][language], error.values);
  if (error instanceof SourceRefused) {
    const { code, ...values } = error.fault;
    return fillIn(SOURCE_TEXTS[code][language], values);
  }
  return formatError(error);
};
