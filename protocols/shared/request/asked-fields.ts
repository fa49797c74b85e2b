import type { AskedField, Feature, FieldNode, FieldTable } from "@tollgate/contract/relay/features";
import type { Spelling } from "@tollgate/contract/relay/protocol";
import { isRecord, type JsonRecord } from "../json/json-values";

/** Unknown fields that are named; the tables bound the known ones. */
const MAX_UNKNOWN = 50;

const toCamel = (name: string): string =>
  name.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Absent and empty values request nothing. */
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.keys(value).length === 0);

class FieldReader {
  readonly asked: AskedField[] = [];
  /** Paths without list indexes: a conversation repeats its fields, and only the first of each is noted. */
  private readonly seen = new Set<string>();
  private unknown = 0;

  constructor(private readonly isGoogle: boolean) {}

  /** @param kind the path without places in lists. @param within the feature that the object's fields refine. */
  readObject(
    object: JsonRecord,
    { fields = {}, isOpen }: FieldNode,
    path: string,
    kind: string,
    within: Feature | undefined,
  ): void {
    for (const name of Object.keys(object)) {
      const value = object[name];
      const known = this.isGoogle ? toCamel(name) : name;
      const node = Object.hasOwn(fields, known) ? fields[known] : undefined;
      if (isEmpty(value) && !(node?.isSwitch && isRecord(value))) continue;
      const place = path === "" ? name : `${path}.${name}`;
      const kindOfPlace = `${kind}.${known}`;
      if (node) this.readField(value, node, place, kindOfPlace, within);
      else if (!isOpen) this.noteUnknown(place, kindOfPlace, within);
    }
  }

  private readField(
    value: unknown,
    node: FieldNode,
    path: string,
    kind: string,
    within: Feature | undefined,
  ): void {
    if (!Array.isArray(value) || !(node.fields || node.featureOf)) {
      this.readValue(value, node, path, kind, within);
      return;
    }
    value.forEach((element, index) => {
      this.readValue(element, node, `${path}[${index}]`, kind, within);
    });
  }

  private readValue(
    value: unknown,
    node: FieldNode,
    path: string,
    kind: string,
    within: Feature | undefined,
  ): void {
    const feature = node.featureOf ? node.featureOf(value) : node.feature;
    if (feature !== undefined) this.note(feature, path, kind, within);
    if (node.fields && isRecord(value)) this.readObject(value, node, path, kind, feature ?? within);
  }

  private noteUnknown(path: string, kind: string, within: Feature | undefined): void {
    if (this.unknown >= MAX_UNKNOWN || !this.note("unknown", path, kind, within)) return;
    this.unknown += 1;
  }

  private note(feature: Feature, path: string, kind: string, within: Feature | undefined): boolean {
    const key = `${feature} ${within ?? ""} ${kind}`;
    if (this.seen.has(key)) return false;
    this.seen.add(key);
    this.asked.push({ feature, path, within });
    return true;
  }
}

/**
 * The fields of a request for features that an upstream of another protocol may not support, each kind once. It only
 * reads fields that were parsed before.
 * @param table the fields of the client's protocol.
 */
export const listAskedFields = (body: JsonRecord, table: FieldTable, spelling: Spelling): AskedField[] => {
  const reader = new FieldReader(spelling === "google");
  reader.readObject(body, { fields: table }, "", "", undefined);
  return reader.asked;
};
