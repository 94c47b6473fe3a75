# The manners of the zoo's bots in shell: `while next; do answer; done`. $id is the number of the question.

next() {
    while IFS= read -r line; do
        case $line in
            *'"type":"hello"'*) echo '{"type":"ready"}' ;;
            *'"type":"decide"'*) id=${line#*'"id":'}; id=${id%%,*}; return 0 ;;
            *'"type":"bye"'*) return 1 ;;
        esac
    done
    return 1
}

answer() {
    echo "{\"type\":\"act\",\"id\":$id,\"choose\":0,\"note\":\"$1\"}"
}
