import * as z from "zod/mini";
import { looseString } from "../management/wire";
import { endpoint } from "../resource/endpoint";
import { plain, readerOf } from "../resource/resource";

/* Texts of the site for its visitors (contract section 1.1); "" for none. */

/** A server without such a text answers no data. */
const siteText = plain(z.string(), readerOf(looseString));

export const getNotice = endpoint({
  method: "GET",
  path: "/api/notice",
  guard: "none",
  summary: "The notice, Markdown or HTML; empty when there is none",
  data: siteText,
  reads: "notice",
  isRepeated: true,
});

export const getAbout = endpoint({
  method: "GET",
  path: "/api/about",
  guard: "none",
  summary: "The about page: Markdown, HTML or an https address",
  data: siteText,
  reads: "about",
  isRepeated: true,
});

export const getHomeContent = endpoint({
  method: "GET",
  path: "/api/home_page_content",
  guard: "none",
  summary: "The home page: Markdown, HTML or an https address",
  data: siteText,
  reads: "home-content",
  isRepeated: true,
});
