/** Version of this package, as `User-Agent` and status answers tell it. A test holds it to package.json. */
export const VERSION = "0.1.0";
