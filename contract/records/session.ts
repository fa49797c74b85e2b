/** A sign-in that lasts. */
export interface Session {
  /** Hash of the cookie's value. */
  idHash: string;
  userId: number;
  /** Unix seconds. */
  createdTime: number;
  expiresTime: number;
  address: string;
  userAgent: string;
}
