#!/bin/sh
for city in "$@"; do
    weather report "$city"
done
