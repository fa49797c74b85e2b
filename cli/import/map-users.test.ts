import { describe, expect, it } from "vitest";
import { mapUsers } from "./map-users";
import { TableRemarks } from "./table-remarks";

const mailOf = (email: string): { email: string | undefined; codes: string[] } => {
  const remarks = new TableRemarks("users");
  const [user] = mapUsers(
    [{ id: 7, username: "alice", password: "", role: 1, status: 1, quota: 0, used_quota: 0, email }],
    { series: "one-api-0.6", version: undefined },
    new Map(),
    remarks,
  );
  return { email: user?.email, codes: remarks.all().map(({ code }) => code) };
};

describe("mail addresses of users", () => {
  it.each(["a@b.example\r\nBcc: c@d.example", "a@b.example, c@d.example", "<a@b.example>", "nobody"])(
    "that are none, or several, are left out: %j",
    (email) => {
      const { email: taken, codes } = mailOf(email);
      expect(taken).toBe("");
      expect(codes).toContain("email-invalid");
    },
  );

  it("are taken over as they are", () => {
    expect(mailOf("Alice@example.com").email).toBe("Alice@example.com");
    expect(mailOf("").codes).not.toContain("email-invalid");
  });
});
