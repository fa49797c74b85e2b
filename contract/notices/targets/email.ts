import { defineNoticeTarget } from "../notice-target";

/** Over the SMTP server of the site. Users have their own address alone: they cannot have mail sent to others. */
export const email = defineNoticeTarget({
  name: "email",
  title: "E-mail",
  fields: { to: { type: "text", pattern: /^[^\s@,;<>"]+@[^\s@,;<>"]+$/ } },
});
