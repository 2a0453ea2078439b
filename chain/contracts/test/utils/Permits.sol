// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "./Vm.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";

struct Signature {
    uint8 v;
    bytes32 r;
    bytes32 s;
}

bytes32 constant PERMIT_TYPE_HASH =
    keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

/// @dev Signs an ERC-2612 permit for `spender` with `key`, for the key's own account.
function signPermit(
    IERC20Permit token,
    uint256 key,
    address spender,
    uint256 amount,
    uint256 deadline
) view returns (Signature memory signature) {
    address owner = vm.addr(key);
    bytes32 structHash = keccak256(
        abi.encode(PERMIT_TYPE_HASH, owner, spender, amount, token.nonces(owner), deadline)
    );
    bytes32 digest = keccak256(abi.encodePacked(hex"1901", token.DOMAIN_SEPARATOR(), structHash));
    (signature.v, signature.r, signature.s) = vm.sign(key, digest);
}
