import { createPrivateKey } from "node:crypto";
import { readRecord, readString } from "@tollgate/protocols/shared/json/json-values";
import { parseJson } from "@tollgate/protocols/shared/json/safe-json";

const PROJECT = /^[\w.:-]+$/;

/** Some copies of the file have the line breaks of the key written out once more. */
const repairPem = (text: string): string => text.replaceAll("\\n", "\n");

const isRsaKey = (pem: string): boolean => {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
};

/**
 * Reads Google's key file of a service account (https://cloud.google.com/iam/docs/keys-create-delete).
 * @returns e-mail address, private key (PEM), project, and id of the key; undefined for anything else.
 */
export const readServiceAccount = (text: string): [string, string, string, string] | undefined => {
  const file = readRecord(parseJson(text));
  const email = readString(file.client_email);
  const privateKey = repairPem(readString(file.private_key));
  const project = readString(file.project_id);
  const isUsable =
    file.type === "service_account" && email !== "" && PROJECT.test(project) && isRsaKey(privateKey);
  return isUsable ? [email, privateKey, project, readString(file.private_key_id)] : undefined;
};
