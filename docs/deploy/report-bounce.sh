#!/bin/sh
# A mail server pipes bounced mail to this script, which reports it to Touchline:
#   report-bounce.sh https://portal.example.com /etc/touchline/bounce-header
# The file has one line, `Authorization: Bearer ` and MAIL_BOUNCE_KEY, readable only by the user that runs this.
# It exits with 75 (EX_TEMPFAIL), so that Postfix and Exim keep the mail and retry, while Touchline cannot be reached, restarts or
# refuses the key; and with 0 once the report is accepted, or never can be, because it is not a report or too large.

portal=${1:?}
status=$(curl --silent --show-error --max-time 30 --output /dev/null --write-out '%{http_code}' \
  --header "@${2:?}" --header 'Content-Type: message/rfc822' --data-binary @- "${portal%/}/api/mail/bounce")
case $status in
2?? | 400 | 413) exit 0 ;;
*)
  echo "Touchline replied $status, see docs/errors.md (000: it did not reply)." >&2
  exit 75
  ;;
esac
