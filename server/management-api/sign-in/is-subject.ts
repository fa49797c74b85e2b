/** Longer than the subject of any method; OpenID Connect allows as much (Core 1.0, section 2, "sub"). */
const MAX_SUBJECT = 255;

/**
 * Whether a subject identifies one account: an empty one would match all users, and the database ends a text at a NUL
 * and has no lone surrogates.
 */
export const isSubject = (subject: string): boolean =>
  subject !== "" && subject.length <= MAX_SUBJECT && !/\p{C}/u.test(subject);
