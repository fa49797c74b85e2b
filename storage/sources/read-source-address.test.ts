import { describe, expect, it } from "vitest";
import { readSourceAddress } from "./read-source-address";

describe("an address of a source", () => {
  it.each([
    [
      "u:p@tcp(db:3307)/oneapi?charset=utf8mb4",
      { host: "db", port: 3307, user: "u", password: "p", database: "oneapi" },
    ],
    ["u:p@w/:d@tcp(db)/oneapi", { host: "db", port: undefined, password: "p@w/:d", database: "oneapi" }],
    ["u:p@tcp([::1]:3306)/oneapi", { host: "::1", port: 3306 }],
    ["u@/oneapi", { host: "127.0.0.1", user: "u", password: "" }],
    ["u:p@unix(/run/db.sock)/oneapi", { socket: "/run/db.sock" }],
    ["u:p@tcp(db:3306)/oneapi?tls=skip-verify", { tls: "unchecked" }],
    ["mysql://u:p%40w@db/oneapi", { host: "db", password: "p@w", tls: undefined }],
    ["mysql://u:p@db/oneapi?tls=true", { tls: "on" }],
  ])("is one of MySQL: %s", (text, expected) => {
    expect(readSourceAddress(text)).toMatchObject({ engine: "mysql", ...expected });
  });

  it("is one of PostgreSQL, or a path", () => {
    expect(readSourceAddress("postgresql://u:p@db/oneapi")).toMatchObject({ engine: "postgres", host: "db" });
    expect(readSourceAddress("/no/such/file.db")).toEqual({ engine: "sqlite", path: "/no/such/file.db" });
    expect(readSourceAddress("sqlite:///no/such/file.db")).toEqual({
      engine: "sqlite",
      path: "/no/such/file.db",
    });
  });

  it.each([
    "u:secret@",
    "u:secret@tcp(db",
    "mysql://u:secret@db",
    "redis://u:secret@db/1",
    "mysql://%:secret@/x",
    "host=db user=u password=secret dbname=x",
    "/home/u/host=db password = secret",
  ])("is none, and is not told: %s", (text) => {
    expect(() => readSourceAddress(text)).toThrow("source-address-invalid");
    expect(() => readSourceAddress(text)).not.toThrow("secret");
  });
});
