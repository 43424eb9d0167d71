/** Runs every benchmark, one after another, and prints one table each. */
import { runExpressions } from "./expressions.ts";
import { benchmarkHttp } from "./http.ts";
import { runMount } from "./mount.ts";
import { printReport } from "./report.ts";

printReport("Expressions and templates", await runExpressions());
printReport("Mounting", await runMount());
printReport("HTTP", await benchmarkHttp());
