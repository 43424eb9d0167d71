import { describe, expect, test } from "vitest";
import { maskArguments } from "./mask-arguments.ts";
import { isSecretName } from "./secret-names.ts";

test.each([
  // Options
  ["backup --password=hunter2 --host=db", "backup --password=**** --host=db"],
  ["backup --password hunter2 --host db", "backup --password **** --host db"],
  ["backup --db-password 'hunter2' x", "backup --db-password '****' x"],
  ["tool -password hunter2", "tool -password ****"],
  ["tool --api-key=abc,def --x=1", "tool --api-key=****,def --x=1"],
  ["tool --token abc --secret-key def", "tool --token **** --secret-key ****"],
  ["java -Dspring.datasource.password=hunter2 -jar app.jar", "java -Dspring.datasource.password=**** -jar app.jar"],
  ["keytool -storepass changeit -keypass changeit -list", "keytool -storepass **** -keypass **** -list"],
  ["net use /password:hunter2", "net use /password:****"],
  ["openssl rsa -passin pass:hunter2 -in a.pem", "openssl rsa -passin **** -in a.pem"],
  ["openssl enc -k x -pass pass:hunter2", "openssl enc -k x -pass ****"],
  // Variables
  ["env PGPASSWORD=hunter2 psql", "env PGPASSWORD=**** psql"],
  ["docker run -e MYSQL_ROOT_PASSWORD=hunter2 mysql:8", "docker run -e MYSQL_ROOT_PASSWORD=**** mysql:8"],
  ["sh -c 'AWS_SECRET_ACCESS_KEY=abc/def aws s3 ls'", "sh -c 'AWS_SECRET_ACCESS_KEY=**** aws s3 ls'"],
  ["SIGNALBOX_SECRET_KEY=abc node server.js", "SIGNALBOX_SECRET_KEY=**** node server.js"],
  // Short options of known programs
  ["mysql -uroot -phunter2 shop", "mysql -uroot -p**** shop"],
  ["/usr/bin/mysqldump -p'hunter2' shop", "/usr/bin/mysqldump -p**** shop"],
  ["sshpass -p hunter2 ssh host -p 22", "sshpass -p **** ssh host -p ****"],
  ["redis-cli -a hunter2 ping", "redis-cli -a **** ping"],
  ["ldapsearch -x -w hunter2 -b dc=x", "ldapsearch -x -w **** -b dc=x"],
  ["docker login -u joe -p hunter2 registry", "docker login -u joe -p **** registry"],
  ["curl -u joe:hunter2 https://x/", "curl -u joe:**** https://x/"],
  ["curl -ujoe:hunter2 https://x/", "curl -ujoe:**** https://x/"],
  ["zip -P hunter2 a.zip b", "zip -P **** a.zip b"],
  ["tool -pS3cretPassw0rd", "tool -p****"],
  // URLs
  ["app postgres://joe:hunter2@db:5432/shop", "app postgres://joe:****@db:5432/shop"],
  ["app DATABASE_URL=postgres://joe:hun/ter2@db/shop", "app DATABASE_URL=postgres://joe:****@db/shop"],
  ["git clone https://0123456789abcdef0123@github.com/x/y", "git clone https://****@github.com/x/y"],
  ["curl https://x/y?token=abc&page=2", "curl https://x/y?token=****&page=2"],
  ["a redis://:hunter2@r:6379,redis://:hunter3@s", "a redis://:****@r:6379,redis://:****@s"],
  // Headers and members
  ["curl -H Authorization: Bearer abc.def https://x/", "curl -H Authorization: Bearer **** https://x/"],
  ["curl -H 'Authorization: Basic YWJj' https://x/", "curl -H 'Authorization: Basic ****' https://x/"],
  ["curl -H 'X-API-Key: abc' https://x/", "curl -H 'X-API-Key: ****' https://x/"],
  ["curl -H X-API-Key:abc https://x/", "curl -H X-API-Key:**** https://x/"],
  ["curl --header=Authorization:Bearer abc", "curl --header=Authorization:Bearer ****"],
  ['curl -d {"user":"joe","password":"hunter2"}', 'curl -d {"user":"joe","password":"****"}'],
  ['curl -d {"password": "hunter2", "a": 1}', 'curl -d {"password": "****", "a": 1}'],
  // Tokens by their shape
  ["run ghp_0123456789abcdefABCDEF0123456789abcd", "run ****"],
  ["run xoxb-1234567890-abcdefghij", "run ****"],
  ["run eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl end", "run **** end"],
])("%j is shown as %j", (command, shown) => {
  expect(maskArguments(command)).toBe(shown);
});

test.each([
  "",
  "sleep 60",
  "/usr/sbin/sshd -D -p 22",
  "ssh -p 2222 joe@host",
  "docker run -p 8080:80 --name web nginx",
  "postgres: shop joe 10.0.0.1(5432) idle",
  "tool --password-file=/etc/x --token-ttl=60 --session-timeout 5",
  "tool --auth-user joe --key-path /etc/ssl/key.pem",
  "tool --password --verbose",
  `tool --password=$DB_PASS --token $${"{TOKEN}"}`,
  "tool --use-token=true --secret=",
  "node --inspect=127.0.0.1:9229 --port:8080 app.js",
  "git clone ssh://git@github.com/x/y https://x:8080/a@b",
  "gcc -pthread -pipe -print-prog-name=ld",
  "find / -path /proc -prune -o -print0",
  "monkey --donkey=1 --keyboard us --passenger",
])("%j stays unchanged", (command) => {
  expect(maskArguments(command)).toBe(command);
});

test.each([
  ["password", true],
  ["DB_PASSWORD", true],
  ["dbPassword", true],
  ["spring.datasource.password", true],
  ["client_secret", true],
  ["access-token", true],
  ["X-Api-Key", true],
  ["sessionid", true],
  ["key", true],
  ["password_file", false],
  ["token_ttl", false],
  ["monkey", false],
  ["compass", false],
  ["path", false],
  [`${"x".repeat(200)}password`, false],
])("%s is the name of a secret: %s", (name, isSecret) => {
  expect(isSecretName(name)).toBe(isSecret);
});

describe("the work of masking arguments", () => {
  const hostile = [
    ["words", "--password "],
    ["equal signs", "password="],
    ["colons", "a:"],
    ["quotes", `password:"`],
    ["quotes behind a name", '"'],
    ["percent signs", "%a"],
    ["URLs", "a://b:c@"],
    ["URLs without an end", "://a:"],
    ["beginnings of tokens", "eyJ-"],
    ["long tokens", "eyJaaaaaaaa."],
    ["short options", "-pa1"],
    ["slashes", "/"],
    ["dashes", "-"],
    ["name characters", "x.-_"],
  ] as const;

  test.each(hostile)("on very many %s grows no faster than the text", (_what, piece) => {
    const cpuOf = (length: number): number => {
      const text = `curl --token ${piece.repeat(Math.ceil(length / piece.length)).slice(0, length)}`;
      const before = process.cpuUsage();
      for (let round = 0; round < 5; round++) maskArguments(text);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    cpuOf(32_000);
    expect(cpuOf(32_000)).toBeLessThan(100);
  });

  test("ends at 32,768 characters", () => {
    expect(maskArguments(`run ${"x".repeat(100_000)}`)).toHaveLength(32_768);
  });
});
