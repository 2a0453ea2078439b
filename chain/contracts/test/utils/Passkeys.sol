// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {signatureOf, vm} from "./Vm.sol";
import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {P256} from "@openzeppelin/contracts/utils/cryptography/P256.sol";

/// @dev What an authenticator reports: the user was present, and identified by finger, face or PIN.
bytes1 constant VERIFIED = 0x05;

/// @dev Returns the owner that has the P-256 key.
function passkeyOf(address verifier, uint256 key) pure returns (bytes memory) {
    (uint256 x, uint256 y) = vm.publicKeyP256(key);
    return abi.encodePacked(verifier, x, y);
}

/// @dev Returns the owner that is the plain account with the key.
function plainOf(uint256 key) pure returns (bytes memory) {
    return abi.encodePacked(vm.addr(key));
}

/// @dev Returns the account's signature by one owner.
function signedBy(bytes memory owner, bytes memory signature) pure returns (bytes memory) {
    bytes[] memory owners = new bytes[](1);
    bytes[] memory signatures = new bytes[](1);
    (owners[0], signatures[0]) = (owner, signature);
    return abi.encode(owners, signatures);
}

function signedByPlain(uint256 key, bytes32 hash) pure returns (bytes memory) {
    return signedBy(plainOf(key), signatureOf(key, hash));
}

function signedByPasskey(address verifier, uint256 key, bytes32 hash) pure returns (bytes memory) {
    return signedBy(passkeyOf(verifier, key), assertionOf(key, hash, VERIFIED));
}

/// @dev Returns the assertion of an authenticator for the challenge.
function assertionOf(uint256 key, bytes32 challenge, bytes1 flags) pure returns (bytes memory) {
    string memory encoded = Base64.encodeURL(abi.encodePacked(challenge));
    string memory client = string.concat(
        "{\"type\":\"webauthn.get\",\"challenge\":\"",
        encoded,
        "\",\"origin\":\"http://localhost\"}"
    );
    bytes memory data = abi.encodePacked(sha256("localhost"), flags, uint32(0));
    (bytes32 r, bytes32 s) = vm.signP256(key, sha256(abi.encodePacked(data, sha256(bytes(client)))));
    if (uint256(s) > P256.N / 2) s = bytes32(P256.N - uint256(s));
    return abi.encode(r, s, 23, 1, data, client); // the members of a WebAuthn.WebAuthnAuth
}

/// @dev What an owner signs for a message: ERC-7739's PersonalSign, bound to the account.
function personalHash(bytes32 message, address account) view returns (bytes32) {
    bytes32 domain = keccak256(
        abi.encode(
            keccak256(
                "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
            ),
            keccak256("TaskmarketAccount"),
            keccak256("1"),
            block.chainid,
            account
        )
    );
    bytes32 personal = keccak256(abi.encode(keccak256("PersonalSign(bytes prefixed)"), message));
    return keccak256(abi.encodePacked(hex"1901", domain, personal));
}
