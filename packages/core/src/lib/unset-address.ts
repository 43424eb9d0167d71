/** The address of the sender of mails, and of the first administrator, as long as nobody has set them. */
export const UNSET_ADDRESS = "admin@localhost";
